;;; redline-tests.el --- The whole product in a real Emacs with eglot  -*- lexical-binding: t; -*-

;; Run by `cargo xtask test`:
;;   REDLINE_BIN=target/debug/redline emacs -Q --batch -l tests/emacs/redline-tests.el
;; Eglot is used as it is: no plugin, no hook of ours.  What a batch Emacs lacks is supplied: a user
;; who answers prompts (stubs of `completing-read' and `y-or-n-p') and pauses (eglot's idle timer).

;;; Code:

(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(require 'cl-lib)
(require 'ert)
(require 'eglot)
(require 'flymake)
(require 'json)

(defvar redline-test--folder nil "The workspace of the running test.")
(defconst redline-test--patience
  (string-to-number (or (getenv "REDLINE_EMACS_PATIENCE") "30"))
  "Seconds for anything that should come at once, on a busy machine.")
(defvar redline-test--prompts nil "What `completing-read' was asked, newest first.")

;; The user's configuration is the one of the manual.
(with-temp-buffer
  (insert-file-contents
   (expand-file-name "../../docs/plain-lsp.md" (file-name-directory load-file-name)))
  (while (re-search-forward "^```elisp\n\\(\\(?:.*\n\\)*?\\)```$" nil t)
    (eval (car (read-from-string (format "(progn %s)" (match-string 1)))) t)))

;;; Steps

(defun redline-test--idle ()
  "Let the user pause: eglot tells the server of changes only then."
  (when (timerp (bound-and-true-p eglot--change-idle-timer))
    (timer-event-handler eglot--change-idle-timer)))

(defmacro redline-test-until (what condition)
  "Let Emacs wait, as between two keys, until CONDITION holds; WHAT says for what."
  `(let ((end (+ (float-time) redline-test--patience)) found)
     (while (and (not (setq found ,condition)) (< (float-time) end))
       (redline-test--idle)
       (accept-process-output nil 0.05))
     (or found (ert-fail (list "waited in vain" ,what (buffer-string))))))

(defun redline-test--json (&rest content)
  "One line of a script: CONTENT blocks of an answer of the model."
  (concat (json-encode `((content . ,(vconcat content)))) "\n"))

(defun redline-test--say (text)
  "A script line that says TEXT, which ends the turn."
  (redline-test--json `((type . "text") (text . ,text))))

(defun redline-test--call (id tool &rest input)
  "A script line with a call ID of TOOL with INPUT, a plist of strings."
  (redline-test--json
   `((type . "tool_use") (id . ,id) (name . ,tool)
     (input . ,(cl-loop for (key value) on input by #'cddr collect (cons key value))))))

(defun redline-test--edit (id old new)
  "A script line in which call ID replaces OLD by NEW in a.txt."
  (redline-test--call id "edit_file" 'path "${workspace}/a.txt" 'old_str old 'new_str new))

(defun redline-test--start (text lines)
  "Visit a.txt with TEXT in a new workspace and connect; script LINES."
  (let* ((root (file-name-as-directory (file-truename (make-temp-file "redline-emacs-" t))))
         (folder (concat root "workspace/"))
         (script (concat root "script.jsonl"))
         (coding-system-for-write 'utf-8-unix)
         (settings (list :redline (list :provider "script" :script script))))
    (dolist (name '("workspace" "home" "config" "state")) (make-directory (concat root name)))
    (write-region text nil (concat folder "a.txt") nil 'quiet)
    (write-region (apply #'concat lines) nil script nil 'quiet)
    (setenv "HOME" (concat root "home"))
    (setenv "REDLINE_CONFIG_DIR" (concat root "config"))
    (setenv "REDLINE_STATE_DIR" (concat root "state"))
    (setq redline-test--folder folder
          redline-test--prompts nil
          project-find-functions (list (lambda (_) (cons 'transient folder)))
          eglot-server-programs
          `((text-mode . (,(getenv "REDLINE_BIN") "lsp" :initializationOptions ,settings))))
    (find-file (concat folder "a.txt"))
    (call-interactively #'eglot)
    (redline-test-until "the connection" (eglot-current-server))))

(defun redline-test--stop ()
  "End the server and forget the buffers."
  (let ((buffer (get-file-buffer (concat redline-test--folder "a.txt"))))
    (when buffer
      (with-current-buffer buffer
        (set-buffer-modified-p nil)
        (ignore-errors (eglot-shutdown (eglot-current-server))))
      (kill-buffer buffer)))
  (delete-directory (file-name-directory (directory-file-name redline-test--folder)) t))

(defmacro redline-test (name text lines &rest body)
  "Define test NAME: BODY runs in a.txt with TEXT; script LINES answer the prompts."
  (declare (indent 3))
  `(ert-deftest ,name ()
     (let ((eglot-confirm-server-initiated-edits nil) (inhibit-message t))
       (unwind-protect
           (progn (redline-test--start ,text (list ,@lines)) ,@body)
         (redline-test--stop)))))

(defun redline-test--command (name &rest arguments)
  "Run a command of the server with ARGUMENTS, as a user's key would."
  (eglot-execute-command (eglot-current-server) name (vconcat arguments)))

(defun redline-test--request (method &rest params)
  "Ask the server METHOD with PARAMS."
  (jsonrpc-request (eglot-current-server) method params))

(defun redline-test--status (field)
  "FIELD of the server's status."
  (plist-get (jsonrpc-request (eglot-current-server) :redline/status nil) field))

(defun redline-test--notes ()
  "What flymake shows: lines and texts, in order."
  (flymake-start nil t)
  (sort (mapcar (lambda (diagnostic)
                  (cons (line-number-at-pos (flymake-diagnostic-beg diagnostic))
                        (flymake-diagnostic-text diagnostic)))
                (flymake-diagnostics))
        (lambda (a b) (< (car a) (car b)))))

(defun redline-test--proposed (text count)
  "Prompt TEXT and wait until COUNT proposals are shown."
  (let ((answer (redline-prompt text)))
    (redline-test-until "the proposals" (= (length (redline-test--notes)) count))
    (plist-get answer :threadId)))

(defun redline-test--line (number)
  "Go to line NUMBER."
  (goto-char (point-min))
  (forward-line (1- number)))

(defmacro redline-test--answering (regexp &rest body)
  "Run BODY; what is chosen from is answered by the choice that matches REGEXP.
REGEXP may look at `prompt'."
  (declare (indent 1))
  `(cl-letf (((symbol-function 'completing-read)
              (lambda (prompt choices &optional _filter _must initial &rest _)
                (let* ((choices (mapcar (lambda (c) (if (consp c) (car c) c)) choices))
                       (regexp ,regexp)
                       (chosen (cl-find-if (lambda (c) (string-match-p regexp c)) choices)))
                  (push (list prompt choices initial) redline-test--prompts)
                  (or chosen (error "No choice like %s in %S" regexp choices)))))
             (last-nonmenu-event ?x))
     ,@body))

(defun redline-test--act (regexp)
  "Run the code action at point whose title matches REGEXP."
  (redline-test--answering regexp (call-interactively #'eglot-code-actions)))

(defun redline-test--buffer-becomes (text)
  "Wait until the buffer holds TEXT and the server knows it."
  (redline-test-until (list "the buffer" text) (equal (buffer-string) text))
  (redline-test-until "the server's text"
    (and (null eglot--recent-changes)
         (equal text (plist-get (redline-test--request
                                 :redline/content
                                 :uri (plist-get (eglot--TextDocumentIdentifier) :uri)
                                 :projection "editor")
                                :text)))))

(defun redline-test--disk (name)
  "The text of file NAME of the workspace; nil if there is none."
  (let ((path (concat redline-test--folder name)) (coding-system-for-read 'utf-8-unix))
    (when (file-exists-p path)
      (with-temp-buffer (insert-file-contents path) (buffer-string)))))

(defun redline-test--told (thread)
  "Everything that the model of THREAD was sent, as one text."
  (format "%S" (redline-test--request :redline/thread :threadId thread)))

(defconst redline-test--text "one\ntwo\nthree\nfour\nfive\nsix\nseven\n")

;;; Tests

(redline-test redline-shows-proposals-as-notes redline-test--text
    ((redline-test--edit "c1" "two" "TWO")
     (redline-test--edit "c2" "six\n" "six\nsix and a half\n")
     (redline-test--say "Look."))
  (redline-test--proposed "go" 2)
  (let ((notes (redline-test--notes)))
    (should (equal (mapcar #'car notes) '(2 6)))
    (should (string-match-p "redline \\[h1\\]: proposal 1 of 2: two → TWO\n-two\n\\+TWO"
                            (cdr (nth 0 notes))))
    (should (string-match-p "proposal 2 of 2: 1 line more: six and a half" (cdr (nth 1 notes)))))
  (should (equal (buffer-string) redline-test--text))
  (should (equal (redline-test--disk "a.txt") redline-test--text)))

(redline-test redline-tells-the-change-at-point redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--say "Look."))
  (redline-test--proposed "go" 1)
  (redline-test--line 2)
  (let (said)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq said text)))
    (redline-test-until "the hover" said)
    (should (string-match-p "proposal 1 of 1" said))
    (should (string-match-p "-two\n\\+TWO" said))))

(redline-test redline-accepts-and-rejects-by-code-action redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--edit "c2" "six" "SIX")
     (redline-test--say "Look.") (redline-test--say "I see."))
  (let ((thread (redline-test--proposed "go" 2)))
    (redline-test--line 2)
    (let ((start (float-time)))
      (redline-test--act "accept 1 of 2")
      ;; Eglot stands still until a command is answered.
      (should (< (- (float-time) start) 5)))
    (redline-test--buffer-becomes "one\nTWO\nthree\nfour\nfive\nsix\nseven\n")
    (should (equal (redline-test--disk "a.txt") redline-test--text))
    (redline-test-until "one note" (equal (mapcar #'car (redline-test--notes)) '(6)))
    (redline-test--line 6)
    (redline-test--act "reject 1 of 1")
    (redline-test-until "no note" (null (redline-test--notes)))
    (should (equal (buffer-string) "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"))
    (let ((inhibit-message t)) (save-buffer))
    (should (equal (redline-test--disk "a.txt") (buffer-string)))
    (redline-test--command 'redline.prompt "and now?")
    (redline-test-until "the second turn"
      (string-match-p "I see\\." (redline-test--told thread)))
    (should (string-match-p "accepted a\\.txt:2-2 (c1)" (redline-test--told thread)))
    (should (string-match-p "rejected a\\.txt:6-6 (c2)" (redline-test--told thread)))))

(redline-test redline-rejects-with-a-comment redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--say "Look.") (redline-test--say "I see."))
  (let ((thread (redline-test--proposed "go" 1)))
    (redline-test--line 2)
    (redline-reject "keep it small")
    (redline-test-until "no note" (null (redline-test--notes)))
    (redline-test--command 'redline.prompt "and now?")
    (redline-test-until "the second turn"
      (string-match-p "I see\\." (redline-test--told thread)))
    (should (string-match-p "rejected a\\.txt:2.*keep it small" (redline-test--told thread)))
    (should (equal (buffer-string) redline-test--text))))

(redline-test redline-accepts-all-in-a-file redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--edit "c2" "six" "SIX")
     (redline-test--say "Look."))
  (redline-test--proposed "go" 2)
  (redline-test--line 4)
  (redline-test--act "accept all 2 in this file")
  (redline-test--buffer-becomes "one\nTWO\nthree\nfour\nfive\nSIX\nseven\n")
  (undo-boundary)
  (should (= 0 (redline-test--status :pendingHunks))))

(redline-test redline-keeps-what-is-typed-meanwhile "one\nzwei 😀 two\nthree\n"
    ((redline-test--edit "c1" "two" "TWO") (redline-test--say "Look."))
  (redline-test--proposed "go" 1)
  (redline-test--line 1)
  (insert "zero\n")
  (redline-test-until "the note moves" (equal (mapcar #'car (redline-test--notes)) '(3)))
  (goto-char (point-min))
  (search-forward "zwei")
  (insert "undzwanzig")
  (redline-test--idle)
  (redline-test--line 3)
  (redline-test--act "accept 1 of 1")
  (redline-test--buffer-becomes "zero\none\nzweiundzwanzig 😀 TWO\nthree\n"))

(redline-test redline-accepts-though-typing-is-not-told-yet redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--say "Look."))
  (redline-test--proposed "go" 1)
  (goto-char (point-max))
  (insert "eight\n")
  ;; No pause: eglot has not told the server and refuses edits of the version that it knows.
  (redline-test--line 2)
  (redline-accept)
  (redline-test--buffer-becomes "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\n"))

(redline-test redline-asks-for-an-edit-once redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--say "Look."))
  (redline-test--proposed "go" 1)
  (let ((eglot-confirm-server-initiated-edits 'confirm) (asked 0))
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) (cl-incf asked) nil)))
      (redline-test--line 2)
      (redline-test--act "accept 1 of 1")
      (redline-test-until "the question" (= asked 1))
      (redline-test-until "pending again"
        (and (redline-test--notes) (= 1 (redline-test--status :pendingHunks))))
      (should (= asked 1))
      (should (equal (buffer-string) redline-test--text)))
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
      (redline-test--act "accept 1 of 1")
      (redline-test--buffer-becomes "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"))))

(redline-test redline-undoes-an-accept redline-test--text
    ((redline-test--edit "c1" "two" "TWO") (redline-test--say "Look."))
  (redline-test--proposed "go" 1)
  (buffer-enable-undo)
  (redline-test--line 2)
  (undo-boundary)
  (redline-test--act "accept 1 of 1")
  (redline-test--buffer-becomes "one\nTWO\nthree\nfour\nfive\nsix\nseven\n")
  (undo-boundary)
  (undo)
  (redline-test--buffer-becomes redline-test--text)
  (redline-test-until "the note is back" (= 1 (length (redline-test--notes)))))

(redline-test redline-asks-in-the-minibuffer redline-test--text
    ((redline-test--call "c1" "Bash" 'cmd "echo hello > ran.txt && cat ran.txt")
     (redline-test--call "c2" "Bash" 'cmd "echo again > again.txt && cat again.txt")
     (redline-test--say "Done."))
  (let (thread)
    (redline-test--answering (if (string-match-p "again" prompt) "Reject" "Allow once")
      (setq thread (plist-get (redline-test--command 'redline.prompt "run it") :threadId))
      (redline-test-until "both questions" (= 2 (length redline-test--prompts)))
      (redline-test-until "the end" (= 0 (redline-test--status :asks))))
    (should (equal (redline-test--disk "ran.txt") "hello\n"))
    (pcase-let ((`(,prompt ,choices ,initial) (car (last redline-test--prompts))))
      (should (string-match-p "echo hello > ran\\.txt" prompt))
      (should (string-match-p "rule" prompt))
      (should (member "Reject" choices))
      ;; What a stray Enter chooses.
      (should (equal initial "Reject")))
    (should-not (redline-test--disk "again.txt"))
    (should (string-match-p "hello" (redline-test--told thread)))))

(redline-test redline-shows-a-new-file redline-test--text
    ((redline-test--call "c1" "create_file" 'path "${workspace}/new.txt" 'content "fresh\nair\n")
     (redline-test--say "Look."))
  (redline-test--command 'redline.prompt "go")
  (redline-test-until "the proposal" (= 1 (redline-test--status :pendingHunks)))
  (should-not (redline-test--disk "new.txt"))
  (redline-show)
  (let ((diff (with-current-buffer "*redline*" (buffer-string))))
    (should (string-match-p "\\+\\+\\+ b/new\\.txt\n@@ -0,0 \\+1,2 @@\n\\+fresh\n\\+air" diff)))
  (redline-test--command 'redline.acceptAll)
  (redline-test-until "the file" (equal (redline-test--disk "new.txt") "fresh\nair\n")))

;;; Report

(let* ((stats (ert-run-tests-batch (or (getenv "REDLINE_EMACS_TESTS") t)))
       (failed (ert-stats-completed-unexpected stats)))
  (princ (format "emacs %s, eglot %s\n%d passed, %d failed\n" emacs-version
                 (or (ignore-errors (mapconcat #'number-to-string (package-desc-version (cadr (assq 'eglot package-alist))) ".")) "built in")
                 (- (ert-stats-completed stats) failed) failed))
  (kill-emacs (if (zerop failed) 0 1)))

;;; redline-tests.el ends here

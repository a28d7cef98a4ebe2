--- The wire, in the order of PROTOCOL.md. Method names and shapes only: nothing here runs.
--- Positions are LSP positions in the encoding negotiated with the server; ids are opaque.

local M = {}

---@alias redline.Encoding 'utf-8'|'utf-16'|'utf-32'

-- client → server, requests ------------------------------------------------------------------

M.prompt = 'redline/prompt'
---@class (exact) redline.PromptParams
---@field text string
---@field threadId? string
---@field model? string
---@field context? redline.PromptContext
---@class (exact) redline.PromptContext
---@field activeUri? string
---@field selection? { uri: string, range: lsp.Range }
---@field openUris? string[]
---@class (exact) redline.PromptResult
---@field threadId string
---@field turnId string

M.cancel = 'redline/cancel'
---@class (exact) redline.CancelParams
---@field threadId string

M.tool = 'redline/tool'
---@class (exact) redline.ToolParams
---@field name string
---@field args table
---@field threadId? string
---@field context? 'thread'|'subagent'
---@field dialect? string

M.resolve = 'redline/resolve'
---@class (exact) redline.ResolveParams
---@field action 'accept'|'reject'|'reopen'|'drop'
---@field uri? string
---@field hunks? string[]
---@field include? 'applied'
---@field comment? string
---@field finalText? string exactly one hunk; replaces the lines of its range
---@field revision? integer of the review state the user looked at; needs uri
---@class (exact) redline.ResolveResult
---@field resolved string[]
---@field stale string[]
---@field failed { hunk: string, reason: string }[]
---@field mixed string[]

M.reviews = 'redline/reviews'
---@class (exact) redline.ReviewsResult
---@field files redline.Review[]

M.content = 'redline/content'
---@class (exact) redline.ContentParams
---@field uri string
---@field projection 'editor'|'agent'|'base'
---@field threadId? string
---@class (exact) redline.ContentResult
---@field text string

M.threads = 'redline/threads'
---@class (exact) redline.ThreadsResult
---@field threads { threadId: string, title: string, updatedAt: string, state: string }[]

M.thread = 'redline/thread'
---@class (exact) redline.ThreadParams
---@field threadId string
---@class (exact) redline.ThreadResult
---@field messages table[]

M.turns = 'redline/turns'
---@class (exact) redline.TurnsParams
---@field threadId string
---@class (exact) redline.TurnsResult
---@field turns { turn: integer, files: string[] }[] those that changed files, the oldest first

M.rewind = 'redline/rewind'
---@class (exact) redline.RewindParams
---@field threadId string
---@field turn integer
---@class (exact) redline.RewindResult
---@field files string[]
---@field withdrawn integer
---@field kept { uri: string, reason: string }[]

M.status = 'redline/status'
---@class (exact) redline.StatusResult
---@field pendingHunks integer
---@field pendingFiles integer
---@field asks integer
---@field model string
---@field dialect string
---@field version string
---@field logFile string

-- client → server, notification --------------------------------------------------------------

M.changeReason = 'redline/changeReason'
---@class (exact) redline.ChangeReason
---@field uri string
---@field version integer of the didChange that follows
---@field reason 'undo'|'redo'

-- server → client, notifications -------------------------------------------------------------

M.review = 'redline/review'
---@class (exact) redline.Review the whole state of one file; no hunks clears it
---@field uri string
---@field revision integer counts changes of hunk content or state, not shifts of ranges
---@field version? integer of the open document the ranges refer to
---@field change 'modified'|'created'|'deleted'
---@field hunks redline.Hunk[]

---@alias redline.HunkState 'pending'|'accepting'|'applied'|'accepted'|'rejected'|'conflict'

---@class (exact) redline.Hunk
---@field id string
---@field state redline.HunkState
---@field mixed boolean
---@field range lsp.Range whole lines
---@field oldText string
---@field newText string
---@field words? { old: [integer, integer][], new: [integer, integer][] }
---@field origin { threadId: string, agent: string, tool: string, toolCallId: string }

M.permissionWithdrawn = 'redline/permissionWithdrawn'
---@class (exact) redline.PermissionWithdrawn
---@field askId string
---@field reason string

M.threadEvent = 'redline/threadEvent'
---@class (exact) redline.ThreadEvent
---@field threadId string
---@field turnId string
---@field seq integer
---@field parentToolUseId? string the call whose subagent it happened to
---@field event redline.ThreadEventBody

---@class redline.ThreadEventBody
---@field type 'text'|'toolCall'|'usage'|'turnEnd'
---@field delta? string
---@field toolCallId? string
---@field name? string
---@field args? table
---@field status? string
---@field title? string
---@field elapsedMs? integer
---@field progress? string the last line that a running command printed
---@field result? any
---@field reason? 'done'|'cancelled'|'error'|'awaitingReview'
---@field message? string

-- server → client, requests ------------------------------------------------------------------

M.permission = 'redline/permission'
---@class (exact) redline.Ask
---@field askId string
---@field title string
---@field tool string
---@field args table
---@field cwd string
---@field detail? string the command, or a diffstat
---@field pending? string[] files whose proposals are not on disk
---@field unsaved? string[]
---@field reason { action: 'ask', rule?: string, source: string, line?: integer, text: string }
---@field options { id: redline.OptionId, label: string, covers?: string }[]
---@field queue { index: integer, total: integer }
---@field note? string why it is asked once more (the edited rule was none)
---@alias redline.OptionId
---| 'once'|'session'|'folder'|'always'|'reject'|'acceptAndRun'|'saveAndRun'|'runWithout'
---@class (exact) redline.AskAnswer
---@field option redline.OptionId
---@field comment? string
---@field rule? string `covers` as the user edited it

M.trust = 'redline/trust'
---@class (exact) redline.TrustParams
---@field trustId string `redline/permissionWithdrawn` names it, too
---@field folder string absolute
---@field files string[] what would count, relative to the folder
---@field text string what it says, for the user to read
---@field changed boolean they were trusted as they were before
---@class (exact) redline.TrustResult
---@field trust boolean

M.question = 'redline/question'
---@class (exact) redline.QuestionParams
---@field questions redline.Question[]
---@class (exact) redline.Question
---@field text string
---@field type 'SingleChoice'|'MultiChoice'|'FreeText'
---@field choices? string[]
---@field defaultValue? string
---@field required? boolean
---@field note? string
---@class (exact) redline.QuestionResult
---@field answers redline.Answer[]
---@class (exact) redline.Answer
---@field question string
---@field selected? string[]
---@field text? string

M.save = 'redline/save'
---@class (exact) redline.SaveParams
---@field uris string[]
---@class (exact) redline.SaveResult
---@field saved string[]

M.open = 'redline/open'
---@class (exact) redline.OpenParams
---@field uri string
---@field range? lsp.Range
---@field preview? boolean

M.format = 'redline/format'
---@class (exact) redline.FormatParams
---@field uri string
---@field preview? boolean
---@class (exact) redline.FormatResult
---@field formatted boolean
---@field edits? lsp.TextEdit[]
---@field version? integer

return M

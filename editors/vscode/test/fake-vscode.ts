/** A small stand-in for VS Code: as much of it as the extension touches, with what it did recorded. */
/* eslint-disable @typescript-eslint/no-empty-function */

export class Disposable {
  constructor(private readonly undo: () => void) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => { all.forEach((one) => one.dispose()); });
  }
  dispose(): void {
    this.undo();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => { this.listeners.delete(listener); });
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class Uri {
  private constructor(readonly scheme: string, readonly path: string) {}
  static parse(text: string): Uri {
    const [, scheme = '', path = ''] = /^([a-z-]+):(?:\/\/)?(.*)$/.exec(text) ?? [];
    return new Uri(scheme, decodeURIComponent(path));
  }
  static file(path: string): Uri {
    return new Uri('file', path);
  }
  static joinPath(base: Uri, ...more: string[]): Uri {
    return new Uri(base.scheme, [base.path, ...more].join('/'));
  }
  get fsPath(): string {
    return this.path;
  }
  with({ scheme }: { scheme: string }): Uri {
    return new Uri(scheme, this.path);
  }
  toString(): string {
    return `${this.scheme}://${this.path.split('/').map(encodeURIComponent).join('/')}`;
  }
}

export class Position {
  constructor(readonly line: number, readonly character: number) {}
  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(a: number | Position, b: number | Position, c?: number, d?: number) {
    this.start = a instanceof Position ? a : new Position(a, b as number);
    this.end = b instanceof Position ? b : new Position(c ?? 0, d ?? 0);
  }
  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  isEqual(other: Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }
}

export class Selection extends Range {
  get anchor(): Position {
    return this.start;
  }
  get active(): Position {
    return this.end;
  }
}

export class ThemeColor {
  constructor(readonly id: string) {}
}
export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  constructor(readonly id: string) {}
}
export class MarkdownString {
  constructor(readonly value: string) {}
}
export class CodeLens {
  constructor(readonly range: Range, readonly command: { title: string; command: string; arguments: unknown[] }) {}
}
export class Hover {
  constructor(readonly contents: MarkdownString) {}
}
export class TreeItem {
  [key: string]: unknown;
  constructor(readonly label: unknown, readonly collapsibleState = 0) {}
}
export class TabInputText {
  constructor(readonly uri: Uri) {}
}

export const OverviewRulerLane = { Full: 7 };
export const DecorationRangeBehavior = { ClosedClosed: 1 };
export const CommentThreadCollapsibleState = { Collapsed: 0, Expanded: 1 };
export const CommentMode = { Editing: 0, Preview: 1 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const StatusBarAlignment = { Left: 1 };
export const TextEditorRevealType = { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 };
export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 };

export interface Change {
  range: Range;
  text: string;
}

export class TextDocument {
  version = 1;
  isDirty = false;
  saves = 0;
  languageId = 'rust';
  constructor(readonly uri: Uri, public text: string) {}
  get lines(): string[] {
    return this.text.split('\n');
  }
  get lineCount(): number {
    return this.lines.length;
  }
  getText(): string {
    return this.text;
  }
  lineAt(lineNumber: number): { lineNumber: number; text: string } {
    const text = this.lines[lineNumber];
    if (text === undefined) throw new Error(`no line ${String(lineNumber)}`);
    return { lineNumber, text };
  }
  validatePosition({ line, character }: Position): Position {
    const last = Math.min(line, this.lineCount - 1);
    return new Position(last, Math.min(character, this.lineAt(last).text.length));
  }
  validateRange(range: Range): Range {
    return new Range(this.validatePosition(range.start), this.validatePosition(range.end));
  }
  save(): Promise<boolean> {
    this.saves += 1;
    this.isDirty = false;
    return Promise.resolve(true);
  }
  /** Changes the text as the editor does: one event, one version. */
  edit(changes: Change[], reason?: number): void {
    const offset = ({ line, character }: Position): number =>
      this.lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + character;
    const spans = changes.map(({ range, text }) => ({ from: offset(range.start), to: offset(range.end), text }));
    for (const { from, to, text } of spans.sort((a, b) => b.from - a.from)) {
      this.text = this.text.slice(0, from) + text + this.text.slice(to);
    }
    this.version += 1;
    this.isDirty = true;
    fired.changed.fire({ document: this, contentChanges: changes, reason });
  }
}

export class TextEditor {
  selections: Selection[] = [new Selection(0, 0, 0, 0)];
  visibleRanges = [new Range(0, 0, 30, 0)];
  options = { tabSize: 2, insertSpaces: true };
  readonly decorations = new Map<DecorationType, Range[]>();
  readonly revealed: Range[] = [];
  /** How often decorations were set. */
  draws = 0;
  constructor(readonly document: TextDocument) {}
  get selection(): Selection {
    return this.selections[0] ?? new Selection(0, 0, 0, 0);
  }
  set selection(selection: Selection) {
    this.selections = [selection];
  }
  setDecorations(type: DecorationType, ranges: Range[]): void {
    this.draws += 1;
    this.decorations.set(type, ranges);
  }
  revealRange(range: Range): void {
    this.revealed.push(range);
  }
  /** The view moves, whoever moved it. */
  scrollTo(line: number): void {
    this.visibleRanges = [new Range(line, 0, line + 30, 0)];
    fired.scrolled.fire({ textEditor: this });
  }
  /** The user moves the cursor. */
  moveTo(line: number): void {
    this.selection = new Selection(line, 0, line, 0);
    fired.selection.fire({ textEditor: this });
  }
}

export interface DecorationType {
  options: Record<string, unknown>;
  dispose(): void;
}

export interface Thread {
  uri: Uri;
  range: Range;
  comments: { body: MarkdownString | string; mode: number; author: { name: string }; contextValue?: string }[];
  label?: string;
  contextValue?: string;
  collapsibleState?: number;
  disposed: boolean;
  dispose(): void;
}

export const fired = {
  theme: new EventEmitter<unknown>(),
  changed: new EventEmitter<{ document: TextDocument; contentChanges: Change[]; reason: number | undefined }>(),
  opened: new EventEmitter<TextDocument>(),
  closed: new EventEmitter<TextDocument>(),
  configuration: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(),
  visible: new EventEmitter<TextEditor[]>(),
  active: new EventEmitter<TextEditor | undefined>(),
  selection: new EventEmitter<{ textEditor: TextEditor; kind?: number }>(),
  scrolled: new EventEmitter<{ textEditor: TextEditor }>(),
};

export interface Message {
  text: string;
  items: string[];
  modal: boolean;
  detail: string;
  pick: (item: string | undefined) => void;
}

interface TreeProvider {
  getChildren(node?: unknown): unknown[];
  getTreeItem(node: unknown): TreeItem;
  onDidChangeTreeData(listener: () => unknown): Disposable;
}
interface LensProvider {
  provideCodeLenses(document: TextDocument): CodeLens[];
  onDidChangeCodeLenses(listener: () => unknown): Disposable;
}

interface ContentProvider {
  provideTextDocumentContent(uri: Uri): Promise<string> | string;
}

/** A quick pick that the extension fills by itself. */
export class QuickPick {
  title = '';
  placeholder = '';
  busy = false;
  shown = false;
  items: { label: string; description?: string; buttons?: unknown[] }[] = [];
  selectedItems: unknown[] = [];
  readonly accepted = new EventEmitter<undefined>();
  readonly hidden = new EventEmitter<undefined>();
  readonly pressed = new EventEmitter<{ item: unknown; button: unknown }>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerItemButton = this.pressed.event;
  show(): void {
    this.shown = true;
  }
  hide(): void {
    this.shown = false;
    this.hidden.fire(undefined);
  }
  dispose(): void {}
}

/** What the extension did, and what the user would do. */
export const done = {
  messages: [] as Message[],
  passing: [] as string[],
  threads: [] as Thread[],
  contexts: new Map<string, unknown>(),
  executed: [] as unknown[][],
  /** Answers of quick picks and input boxes, in order; a function is called with what was put. */
  answers: [] as unknown[],
  /** What they were put with. */
  asked: [] as Record<string, unknown>[],
  settings: new Map<string, unknown>(),
  /** Those of the folder. */
  workspaceSettings: new Map<string, unknown>(),
  files: new Set<string>(),
  formatting: [] as { range: Range; newText: string }[],
  badge: undefined as { value: number } | undefined,
  status: { text: '', command: '', backgroundColor: undefined as ThemeColor | undefined },
  lensProvider: undefined as LensProvider | undefined,
  hoverProvider: undefined as { provideHover(document: TextDocument, at: Position): Hover | undefined } | undefined,
  tree: undefined as TreeProvider | undefined,
  contents: new Map<string, ContentProvider>(),
  /** Quick picks that stay open until they are hidden. */
  picks: [] as QuickPick[],
  commands: new Map<string, (...given: unknown[]) => unknown>(),
};

export function reset(): void {
  Object.assign(done, { messages: [], passing: [], threads: [], executed: [], answers: [], asked: [], picks: [], formatting: [] });
  done.contexts.clear();
  done.settings.clear();
  done.workspaceSettings.clear();
  done.files.clear();
  done.commands.clear();
  workspace.textDocuments = [];
  workspace.isTrusted = true;
  window.visibleTextEditors = [];
  window.activeTextEditor = undefined;
  for (const emitter of Object.values(fired)) emitter.dispose();
}

/** Opens a document in an editor, as the user would. */
export function openDocument(path: string, text: string, scheme = 'file'): TextEditor {
  const document = new TextDocument(Uri.file(path).with({ scheme }), text);
  const editor = new TextEditor(document);
  workspace.textDocuments.push(document);
  window.visibleTextEditors = [...window.visibleTextEditors, editor];
  window.activeTextEditor = editor;
  fired.opened.fire(document);
  fired.visible.fire(window.visibleTextEditors);
  return editor;
}

function answered(put: Record<string, unknown>): unknown {
  const answer = done.answers.shift();
  return typeof answer === 'function' ? (answer as (put: Record<string, unknown>) => unknown)(put) : answer;
}

function message(text: string, ...rest: unknown[]): Promise<unknown> {
  const [first, ...items] = rest;
  const options = typeof first === 'object' ? (first as { modal?: boolean; detail?: string }) : {};
  const offered = (typeof first === 'string' ? [first, ...items] : items) as string[];
  return new Promise((pick) => {
    done.messages.push({ text, items: offered, modal: options.modal ?? false, detail: options.detail ?? '', pick });
  });
}

export const window = {
  visibleTextEditors: [] as TextEditor[],
  activeTextEditor: undefined as TextEditor | undefined,
  state: { focused: true },
  tabGroups: { all: [] as { tabs: unknown[] }[], close: () => Promise.resolve(true) },
  onDidChangeVisibleTextEditors: fired.visible.event,
  onDidChangeActiveColorTheme: fired.theme.event,
  onDidChangeActiveTextEditor: fired.active.event,
  onDidChangeTextEditorSelection: fired.selection.event,
  onDidChangeTextEditorVisibleRanges: fired.scrolled.event,
  createTextEditorDecorationType: (options: Record<string, unknown>): DecorationType => ({ options, dispose: () => {} }),
  createOutputChannel: () => ({ append: () => {}, show: () => {}, dispose: () => {} }),
  createStatusBarItem: () => Object.assign(done.status, { show: () => {}, dispose: () => {} }),
  createTreeView: (_id: string, { treeDataProvider }: { treeDataProvider: TreeProvider }) => ({
    set badge(badge: { value: number } | undefined) {
      done.badge = badge;
    },
    tree: (done.tree = treeDataProvider),
    dispose: () => {},
  }),
  createQuickPick: () => {
    const pick = new QuickPick();
    done.picks.push(pick);
    return pick;
  },
  setStatusBarMessage: (text: string) => done.passing.push(text),
  showInformationMessage: message,
  showWarningMessage: message,
  showErrorMessage: message,
  showInputBox: (options: Record<string, unknown>) => {
    done.asked.push(options);
    return Promise.resolve(answered(options));
  },
  /** An answer may be an item, or a label that stands for one; a list of them where several may be picked. */
  showQuickPick: (items: unknown[], options: Record<string, unknown> = {}) => {
    done.asked.push({ ...options, items });
    const labelled = (answer: unknown): unknown =>
      items.find((item) => (item as { label?: string }).label === answer) ?? answer;
    const answer = answered(options);
    return Promise.resolve(Array.isArray(answer) ? answer.map(labelled) : labelled(answer));
  },
  showTextDocument: (uri: Uri) => {
    const found = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    const editor = found ?? openDocument(uri.path, '', uri.scheme);
    window.activeTextEditor = editor;
    return Promise.resolve(editor);
  },
};

export class WorkspaceEdit {
  readonly changes: { uri: Uri; range: Range; text: string }[] = [];
  replace(uri: Uri, range: Range, text: string): void {
    this.changes.push({ uri, range, text });
  }
  set(uri: Uri, edits: { range: Range; newText: string }[]): void {
    for (const { range, newText } of edits) this.replace(uri, range, newText);
  }
}

export const workspace = {
  textDocuments: [] as TextDocument[],
  isTrusted: true,
  workspaceFolders: [{ uri: Uri.file('/ws') }],
  onDidChangeTextDocument: fired.changed.event,
  onDidOpenTextDocument: fired.opened.event,
  onDidCloseTextDocument: fired.closed.event,
  onDidChangeConfiguration: fired.configuration.event,
  asRelativePath: (uri: Uri) => uri.path.replace(/^\/ws\//, ''),
  registerTextDocumentContentProvider: (scheme: string, provider: ContentProvider) => {
    done.contents.set(scheme, provider);
    return new Disposable(() => done.contents.delete(scheme));
  },
  getConfiguration: (section: string) => ({
    get: (name: string, fallback?: unknown) => done.settings.get(`${section}.${name}`) ?? fallback,
    inspect: (name: string) => ({
      globalValue: done.settings.get(`${section}.${name}`),
      workspaceValue: done.workspaceSettings.get(`${section}.${name}`),
    }),
  }),
  openTextDocument: (uri: Uri) =>
    Promise.resolve(workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())),
  applyEdit: (edit: WorkspaceEdit) => {
    for (const document of workspace.textDocuments) {
      const own = edit.changes.filter(({ uri }) => uri.toString() === document.uri.toString());
      if (own.length > 0) document.edit(own);
    }
    return Promise.resolve(true);
  },
  fs: {
    stat: (uri: Uri) => (done.files.has(uri.path) ? Promise.resolve({}) : Promise.reject(new Error('no such file'))),
  },
};

export const languages = {
  registerCodeLensProvider: (_selector: unknown, provider: typeof done.lensProvider) => {
    done.lensProvider = provider;
    return new Disposable(() => {});
  },
  registerHoverProvider: (_selector: unknown, provider: typeof done.hoverProvider) => {
    done.hoverProvider = provider;
    return new Disposable(() => {});
  },
};

export const comments = {
  createCommentController: () => ({
    options: {},
    createCommentThread(uri: Uri, range: Range, some: Thread['comments']): Thread {
      const thread: Thread = {
        uri,
        range,
        comments: some,
        disposed: false,
        dispose() {
          thread.disposed = true;
          done.threads = done.threads.filter((one) => one !== thread);
        },
      };
      done.threads.push(thread);
      return thread;
    },
    dispose: () => {},
  }),
};

export const commands = {
  registerCommand: (name: string, run: (...given: unknown[]) => unknown) => {
    done.commands.set(name, run);
    return new Disposable(() => done.commands.delete(name));
  },
  executeCommand: (name: string, ...given: unknown[]): Promise<unknown> => {
    if (name === 'setContext') done.contexts.set(given[0] as string, given[1]);
    else done.executed.push([name, ...given]);
    if (name === 'vscode.executeFormatDocumentProvider') return Promise.resolve(done.formatting);
    return Promise.resolve(done.commands.get(name)?.(...given));
  },
};

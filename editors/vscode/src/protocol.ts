/**
 * The wire, in the order of the protocol's description. Method names and shapes only: nothing here
 * runs. Positions are in UTF-16, which is what VS Code counts in; ids are opaque.
 */
import type { Range, TextEdit } from 'vscode-languageserver-protocol';

export type { Range };

/** `capabilities.experimental.redline`: what this client really does. */
export const declared = {
  review: true,
  permission: true,
  trust: true,
  question: true,
  save: true,
  open: true,
  format: true,
  threadEvents: true,
  changeReason: true,
} as const;

// ---- client → server, requests

export const prompt = 'redline/prompt';
export interface PromptParams {
  text: string;
  threadId?: string;
  model?: string;
  context?: PromptContext;
}
export interface PromptContext {
  activeUri?: string;
  selection?: { uri: string; range: Range };
  openUris?: string[];
}
export interface PromptResult {
  threadId: string;
  turnId: string;
}

export const cancel = 'redline/cancel';
export interface CancelParams {
  threadId: string;
}

export const tool = 'redline/tool';
export interface ToolParams {
  name: string;
  args: object;
  threadId?: string;
  context?: 'thread' | 'subagent';
  dialect?: string;
}

export const resolve = 'redline/resolve';
export type Action = 'accept' | 'reject' | 'reopen' | 'drop';
export interface ResolveParams {
  action: Action;
  uri?: string;
  hunks?: string[];
  include?: 'applied';
  comment?: string;
  /** Exactly one hunk; replaces the lines of its range. */
  finalText?: string;
  /** Of the review state the user looked at; needs `uri`. */
  revision?: number;
}
export interface ResolveResult {
  resolved: string[];
  stale: string[];
  failed: { hunk: string; reason: string }[];
  mixed: string[];
}

export const reviews = 'redline/reviews';
export interface ReviewsResult {
  files: Review[];
}

export const content = 'redline/content';
export interface ContentParams {
  uri: string;
  projection: 'editor' | 'agent' | 'base';
  threadId?: string;
}
export interface ContentResult {
  text: string;
}

export const threads = 'redline/threads';
export interface ThreadsResult {
  threads: { threadId: string; title: string; updatedAt: string; state: string }[];
}

export const thread = 'redline/thread';
export interface ThreadParams {
  threadId: string;
}
export interface ThreadResult {
  messages: object[];
}

export const turns = 'redline/turns';
export interface TurnsParams {
  threadId: string;
}
export interface TurnsResult {
  /** Those that changed files, the oldest first. */
  turns: { turn: number; files: string[] }[];
}

export const rewind = 'redline/rewind';
export interface RewindParams {
  threadId: string;
  turn: number;
}
export interface RewindResult {
  files: string[];
  withdrawn: number;
  kept: { uri: string; reason: string }[];
}

export const status = 'redline/status';
export interface StatusResult {
  pendingHunks: number;
  pendingFiles: number;
  asks: number;
  model: string;
  dialect: string;
  version: string;
  logFile: string;
}

// ---- client → server, notification

export const changeReason = 'redline/changeReason';
export interface ChangeReason {
  uri: string;
  /** Of the didChange that follows. */
  version: number;
  reason: 'undo' | 'redo';
}

// ---- server → client, notifications

export const review = 'redline/review';
/** The whole state of one file; no hunks clears it. */
export interface Review {
  uri: string;
  /** Counts changes of hunk content or state, not shifts of ranges. */
  revision: number;
  /** Of the open document that the ranges refer to. */
  version: number | null;
  change: 'modified' | 'created' | 'deleted';
  hunks: Hunk[];
}
export type HunkState = 'pending' | 'accepting' | 'applied' | 'accepted' | 'rejected' | 'conflict';
export interface Hunk {
  id: string;
  state: HunkState;
  mixed: boolean;
  /** Whole lines. */
  range: Range;
  oldText: string;
  newText: string;
  /** Changed spans, offsets in UTF-16 code units. */
  words?: { old: [number, number][]; new: [number, number][] };
  origin: { threadId: string; agent: string; tool: string; toolCallId: string };
}

export const permissionWithdrawn = 'redline/permissionWithdrawn';
export interface PermissionWithdrawn {
  askId: string;
  reason: string;
}

export const threadEvent = 'redline/threadEvent';
export interface ThreadEvent {
  threadId: string;
  turnId: string;
  seq: number;
  /** The call whose subagent it happened to. */
  parentToolUseId?: string;
  event: TextEvent | ToolCallEvent | UsageEvent | TurnEndEvent;
}
export interface TextEvent {
  type: 'text';
  delta: string;
}
export interface ToolCallEvent {
  type: 'toolCall';
  toolCallId: string;
  name: string;
  args: object;
  status: string;
  title: string;
  elapsedMs?: number;
  /** The last line that a running command printed. */
  progress?: string;
  result?: unknown;
}
export interface UsageEvent {
  type: 'usage';
}
export interface TurnEndEvent {
  type: 'turnEnd';
  reason: 'done' | 'cancelled' | 'error' | 'awaitingReview';
  message?: string;
}

// ---- server → client, requests

export const permission = 'redline/permission';
export interface Ask {
  askId: string;
  title: string;
  tool: string;
  args: Record<string, unknown>;
  cwd: string;
  /** The command, or a diffstat. */
  detail?: string;
  /** Files whose proposals are not on disk. */
  pending?: string[];
  unsaved?: string[];
  reason: { action: 'ask'; rule: string | null; source: string; line?: number; text: string };
  options: AskOption[];
  queue: { index: number; total: number };
  /** Why it is asked once more: the edited rule was none. */
  note?: string;
}
export type OptionId =
  'once' | 'session' | 'folder' | 'always' | 'reject' | 'acceptAndRun' | 'saveAndRun' | 'runWithout';
export interface AskOption {
  id: OptionId;
  label: string;
  /** The rules that it would add, one a line, as text that the user may edit. */
  covers?: string;
}
export interface AskAnswer {
  option: OptionId;
  comment?: string;
  /** `covers` as the user edited it. */
  rule?: string;
}

export const trust = 'redline/trust';
export interface TrustParams {
  /** `redline/permissionWithdrawn` names it, too. */
  trustId: string;
  /** Absolute. */
  folder: string;
  /** What would count, relative to the folder. */
  files: string[];
  /** What it says, for the user to read. */
  text: string;
  /** They were trusted as they were before. */
  changed: boolean;
}
export interface TrustResult {
  trust: boolean;
}

export const question = 'redline/question';
export interface QuestionParams {
  questions: Question[];
}
export interface Question {
  text: string;
  type: 'SingleChoice' | 'MultiChoice' | 'FreeText';
  choices?: string[];
  defaultValue?: string;
  required?: boolean;
  /** Why it is asked once more. */
  note?: string;
}
export interface Answer {
  question: string;
  selected?: string[];
  text?: string;
}
export interface QuestionResult {
  answers: Answer[];
}

export const save = 'redline/save';
export interface SaveParams {
  uris: string[];
}
export interface SaveResult {
  saved: string[];
}

export const open = 'redline/open';
export interface OpenParams {
  uri: string;
  range?: Range;
  preview?: boolean;
}

export const format = 'redline/format';
export interface FormatParams {
  uri: string;
  /** The answer has the edits, and none is made. */
  preview?: boolean;
}
export interface FormatResult {
  formatted: boolean;
  edits?: TextEdit[];
  /** The version that the edits are of. */
  version?: number;
}

// The recorded conversation that plays the agent: one list of blocks answers one request to the model.

export type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

/** The model's answers, in order. An answer without a call ends the turn. */
export type Turns = readonly (readonly Block[])[];

/** Words of the agent. */
export const say = (text: string): Block => ({ type: 'text', text });

/** A call of any tool. */
export const call = (id: string, name: string, input: Record<string, unknown>): Block => ({ type: 'tool_use', id, name, input });

/** `edit_file` on a file of the workspace. */
export const edit = (id: string, file: string, before: string, after: string): Block =>
  call(id, 'edit_file', { path: inWorkspace(file), old_str: before, new_str: after });

/** `create_file` in the workspace. */
export const create = (id: string, file: string, content: string): Block =>
  call(id, 'create_file', { path: inWorkspace(file), content });

/** `delete_file` in the workspace. */
export const remove = (id: string, file: string): Block => call(id, 'delete_file', { path: inWorkspace(file) });

/** A shell command. */
export const bash = (id: string, cmd: string): Block => call(id, 'Bash', { cmd });

/** The file's text, one answer a line. */
export const jsonl = (turns: Turns): string => turns.map((content) => `${JSON.stringify({ content })}\n`).join('');

const inWorkspace = (file: string): string => `\${workspace}/${file}`;

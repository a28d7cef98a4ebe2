/** The settings that are the server's. */
import * as vscode from 'vscode';

const NAMES = [
  'provider',
  'model',
  'script',
  'dialect',
  'saveOnAccept',
  'review.wait',
  'permissions',
  'toolbox',
  'mcpServers',
  'bundles',
  'skills',
  'webSearch',
  'check',
  'audit',
];

/**
 * Those that somebody has set: a default of ours must not hide what the server's own files say. Besides, whether
 * the editor trusts the folder, whose own rules count in no other.
 */
export function serverSettings(): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration('redline');
  const found: Record<string, unknown> = { trusted: vscode.workspace.isTrusted };
  for (const name of NAMES) {
    const set = section.inspect(name);
    const value: unknown = section.get(name);
    const said = [set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue];
    if (said.some((one) => one !== undefined) && value !== undefined) put(found, name.split('.'), value);
  }
  const rules = amp();
  if (rules !== undefined) found[AMP] = rules;
  return found;
}

/** Amp's users have their rules here; the server reads them under the same key. */
export const AMP = 'amp.permissions';

/** The user's own: those of a folder are the folder's word. */
function amp(): unknown {
  return vscode.workspace.getConfiguration('amp').inspect('permissions')?.globalValue;
}

function put(into: Record<string, unknown>, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  put(inner, rest, value);
  into[name] = inner;
}

/** What was allowed beyond the rules, and taking it back. */
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Server } from './peer';
import { plain, visible } from './words';

/** What `redline.grants` answers. */
export interface Granted {
  /** Until the server ends. */
  session: { rule: string }[];
  /** Of all folders; without one: everywhere. */
  saved: { rule: string; folder: string | null }[];
}
export interface Grant {
  rule: string;
  /** Where and how long it counts. */
  where: string;
  /** Only from a window with its folder can it be taken back. */
  elsewhere: boolean;
}
interface Row extends vscode.QuickPickItem {
  grant?: Grant;
}

const BIN: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Revoke: It Is Asked Again' };

export class Grants {
  constructor(private readonly server: Server) {}

  /** Lists them; the bin of a row takes it back, and so does choosing it, once confirmed. */
  async show(): Promise<void> {
    const grants = await this.list();
    if (!grants) return;
    const pick = vscode.window.createQuickPick<Row>();
    pick.title = 'What Is Allowed Beyond Your Rules';
    pick.ignoreFocusOut = true;
    pick.matchOnDescription = true;
    fill(pick, grants);
    pick.onDidTriggerItemButton(({ item }) => void this.revoke(pick, item.grant));
    pick.onDidAccept(() => void this.chosen(pick));
    pick.onDidHide(() => { pick.dispose(); });
    pick.show();
  }

  private async list(): Promise<Grant[] | undefined> {
    const granted = await this.server.command<Granted | null>('redline.grants');
    return granted ? grantsOf(granted, await folders()) : undefined;
  }

  private async revoke(pick: vscode.QuickPick<Row>, grant: Grant | undefined): Promise<void> {
    if (!grant || grant.elsewhere) return;
    pick.busy = true;
    await this.server.command('redline.revoke', grant.rule);
    fill(pick, (await this.list()) ?? []);
    pick.busy = false;
  }

  /** By the keyboard: the bin cannot be reached there. Enter alone takes nothing back. */
  private async chosen(pick: vscode.QuickPick<Row>): Promise<void> {
    const grant = pick.selectedItems[0]?.grant;
    pick.hide();
    if (!grant || grant.elsewhere) return;
    const items = ['$(arrow-left) Keep It', '$(trash) Revoke'];
    const picked = await vscode.window.showQuickPick(items, { title: visible(grant.rule), placeHolder: `Counts ${grant.where}` });
    if (picked === items[1]) await this.server.command('redline.revoke', grant.rule);
    if (picked !== undefined) await this.show();
  }
}

function fill(pick: vscode.QuickPick<Row>, grants: readonly Grant[]): void {
  pick.placeholder = grants.length === 0 ? 'Nothing' : 'These are not asked about. The bin revokes one';
  pick.items = grants.map((grant) => ({
    label: plain(visible(grant.rule)),
    description: plain(grant.where),
    buttons: grant.elsewhere ? [] : [BIN],
    grant,
  }));
}

/** All of them, those of this window first. Pure. */
export function grantsOf({ session, saved }: Granted, here: readonly string[]): Grant[] {
  const all = [
    ...session.map(({ rule }) => ({ rule, where: 'until the server ends', elsewhere: false })),
    ...saved.map(({ rule, folder }) => ({
      rule,
      where: folder === null ? 'everywhere' : `in ${folder}`,
      elsewhere: folder !== null && !here.includes(folder),
    })),
  ];
  return [...all.filter(({ elsewhere }) => !elsewhere), ...all.filter(({ elsewhere }) => elsewhere)];
}

/** The folders of the window, as the server knows them. */
function folders(): Promise<string[]> {
  const paths = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

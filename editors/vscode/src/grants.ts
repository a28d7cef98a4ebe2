/** What was allowed beyond the rules, and taking it back. */
import * as vscode from 'vscode';
import type { Server } from './peer';
import { plain } from './words';

/** One of what `redline.grants` answers. */
export interface Grant {
  rule: string;
  source: 'session' | 'saved';
  /** Only there; missing: everywhere. */
  folder?: string | null;
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
    return (await this.server.command<Grant[] | null>('redline.grants')) ?? undefined;
  }

  private async revoke(pick: vscode.QuickPick<Row>, grant: Grant | undefined): Promise<void> {
    if (!grant) return;
    pick.busy = true;
    await this.server.command('redline.revoke', grant.rule);
    fill(pick, (await this.list()) ?? []);
    pick.busy = false;
  }

  /** By the keyboard: the bin cannot be reached there. Enter alone takes nothing back. */
  private async chosen(pick: vscode.QuickPick<Row>): Promise<void> {
    const grant = pick.selectedItems[0]?.grant;
    pick.hide();
    if (!grant) return;
    const items = ['$(arrow-left) Keep It', '$(trash) Revoke'];
    const picked = await vscode.window.showQuickPick(items, { title: grant.rule, placeHolder: where(grant) });
    if (picked === items[1]) await this.server.command('redline.revoke', grant.rule);
    if (picked !== undefined) await this.show();
  }
}

function fill(pick: vscode.QuickPick<Row>, grants: readonly Grant[]): void {
  pick.placeholder = grants.length === 0 ? 'Nothing' : 'These are not asked about. The bin revokes one';
  pick.items = grants.map((grant) => ({ label: plain(grant.rule), description: where(grant), buttons: [BIN], grant }));
}

/** Where and how long it counts. Pure. */
export function where({ source, folder }: Grant): string {
  if (source === 'session') return 'until the server ends';
  return typeof folder === 'string' ? `in ${folder}` : 'everywhere';
}

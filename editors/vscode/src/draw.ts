/** Draws the marks of a picture in editors. */
import * as vscode from 'vscode';
import type { Mark, MarkKind, Picture } from './layout';

const color = (id: string): vscode.ThemeColor => new vscode.ThemeColor(id);
const { OverviewRulerLane, DecorationRangeBehavior } = vscode;

/** High contrast themes have no line background but this border; elsewhere it is transparent. */
const removedBorder = { border: '1px dashed', borderColor: color('diffEditor.removedTextBorder') };
const addedBorder = { border: '1px dashed', borderColor: color('diffEditor.insertedTextBorder') };

const styles: Record<MarkKind, vscode.DecorationRenderOptions> = {
  removed: {
    isWholeLine: true,
    backgroundColor: color('diffEditor.removedLineBackground'),
    overviewRulerColor: color('editorOverviewRuler.deletedForeground'),
    ...removedBorder,
  },
  removedWord: {
    backgroundColor: color('diffEditor.removedTextBackground'),
    border: '1px solid',
    borderColor: color('diffEditor.removedTextBorder'),
  },
  insertion: {
    isWholeLine: true,
    borderStyle: 'solid',
    borderWidth: '0 0 2px 0',
    borderColor: color('editorGutter.addedBackground'),
    overviewRulerColor: color('editorOverviewRuler.addedForeground'),
  },
  added: {
    isWholeLine: true,
    backgroundColor: color('diffEditor.insertedLineBackground'),
    overviewRulerColor: color('editorOverviewRuler.addedForeground'),
    ...addedBorder,
  },
  addedWord: {
    backgroundColor: color('diffEditor.insertedTextBackground'),
    border: '1px solid',
    borderColor: color('diffEditor.insertedTextBorder'),
  },
  accepting: { isWholeLine: true, opacity: '0.55', backgroundColor: color('diffEditor.removedLineBackground') },
  conflict: {
    isWholeLine: true,
    backgroundColor: color('inputValidation.warningBackground'),
    overviewRulerColor: color('editorOverviewRuler.warningForeground'),
    border: '1px dashed',
    borderColor: color('editorWarning.foreground'),
  },
};

const gutterIcons: Partial<Record<MarkKind, string>> = {
  removed: 'removed',
  insertion: 'insertion',
  added: 'insertion',
  accepting: 'removed',
  conflict: 'conflict',
};

export class Draw implements vscode.Disposable {
  private readonly types: [MarkKind, vscode.TextEditorDecorationType][];
  /** What each editor shows, as text: equal pictures are not set again. */
  private readonly shown = new WeakMap<vscode.TextEditor, string>();

  constructor(extension: vscode.Uri) {
    const kinds = Object.keys(styles) as MarkKind[];
    this.types = kinds.map((kind) => {
      const icon = gutterIcons[kind];
      const gutter = icon
        ? { gutterIconPath: vscode.Uri.joinPath(extension, 'media', `gutter-${icon}.svg`), gutterIconSize: 'contain' }
        : {};
      const common = {
        overviewRulerLane: OverviewRulerLane.Full,
        rangeBehavior: DecorationRangeBehavior.ClosedClosed,
      };
      return [kind, vscode.window.createTextEditorDecorationType({ ...common, ...styles[kind], ...gutter })];
    });
  }

  draw(editor: vscode.TextEditor, { marks }: Picture): void {
    // Decorations move with the text by themselves, so they are the same only at the same version.
    const said = JSON.stringify([editor.document.uri.toString(), editor.document.version, marks]);
    const before = this.shown.get(editor);
    if (before === said || (before === undefined && isEmpty(marks))) return;
    this.shown.set(editor, said);
    for (const [kind, type] of this.types) {
      editor.setDecorations(type, marks[kind].map((mark) => rangeOf(mark, editor.document)));
    }
  }

  dispose(): void {
    for (const [, type] of this.types) type.dispose();
  }
}

const isEmpty = (marks: Picture['marks']): boolean => Object.values(marks).every((some) => some.length === 0);

function rangeOf(mark: Mark, document: vscode.TextDocument): vscode.Range {
  const end = document.lineAt(Math.min(mark.end, document.lineCount - 1));
  return new vscode.Range(mark.line, mark.from ?? 0, end.lineNumber, mark.to ?? end.text.length);
}

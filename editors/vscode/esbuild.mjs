// Bundles the extension; with --tests the unit tests, against a small stand-in for VS Code.
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const common = { absWorkingDir: here, bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

if (process.argv.includes('--tests')) {
  rmSync(path.join(here, 'dist/tests'), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: readdirSync(path.join(here, 'test')).filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`),
    outdir: 'dist/tests',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    sourcemap: 'inline',
    alias: { vscode: './test/fake-vscode.ts' },
  });
} else {
  await build({
    ...common,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/extension.cjs',
    format: 'cjs',
    external: ['vscode'],
    minify: true,
    sourcemap: process.argv.includes('--sourcemap'),
  });
}

// `redline demo --editor code`: the sample opens, the agent begins, and what it proposes can be accepted.
import { scenario } from '../lib/scenario.ts';
import { equals, eventually } from '../lib/wait.ts';

scenario('the demo opens the sample and shows proposals, without touching the own profile', { demo: true }, async (redline) => {
  const { ui, probe, sandbox } = redline;
  await ui.page.locator('.tabs-container .tab', { hasText: 'phase.py' }).waitFor();
  await ui.lens('Accept').first().waitFor();
  await ui.status.filter({ hasText: /Redline/ }).first().waitFor();
  const before = sandbox.disk('phase.py');
  await ui.accept.first().click();
  await eventually('the file on disk to change', () => sandbox.disk('phase.py') !== before);
  await equals('unsaved', () => probe.dirty(sandbox.path('phase.py')), false);
});

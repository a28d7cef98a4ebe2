// The window itself.
import { scenario } from '../lib/scenario.ts';

scenario('a file opens and takes what is typed', { files: { 'a.txt': 'one\n' }, open: 'a.txt' }, async (redline) => {
  await redline.ui.type('zero ');
  await redline.buffer('a.txt', 'zero one\n');
  await redline.disk('a.txt', 'one\n');
});

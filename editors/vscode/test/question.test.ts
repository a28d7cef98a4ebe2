/** The agent's questions as quick picks and input boxes. */
import * as assert from 'node:assert/strict';
import { test } from 'node:test';
import * as wire from '../src/protocol';
import { done } from './fake-vscode';
import { inWorld } from './world';

test('questions: own answers, open ones, required ones, dismissed ones', async () => {
  await inWorld(async (world) => {
    const put = async (question: object, ...answers: unknown[]): Promise<unknown> => {
      done.answers = answers;
      done.asked = [];
      return world.server.sendRequest(wire.question, { questions: [question] });
    };
    const answer = (given: object): unknown => ({ answers: [{ question: 'Q?', ...given }] });
    const single = { text: 'Q?', type: 'SingleChoice', choices: ['$(red)', 'blue'] };
    assert.deepEqual(await put(single, '$ (red)'), answer({ selected: ['$(red)'] }));
    assert.deepEqual(await put(single, '$(circle-slash) No answer'), { answers: [] });
    assert.deepEqual(await put(single, '$(edit) Something else…', 'green'), answer({ text: 'green' }));
    assert.equal(await put(single, undefined), null);
    const required = { ...single, required: true, note: 'Choose one answer only.' };
    assert.deepEqual(await put(required, '$(edit) Something else…', ' ', 'blue'), answer({ selected: ['blue'] }));
    const titles = done.asked.map(({ title }) => title);
    assert.deepEqual([titles[0], titles.at(-1)], ['Redline asks: Choose one answer only.', 'Redline asks: this question needs an answer']);
    const many = { ...single, type: 'MultiChoice' };
    assert.deepEqual(await put(many, []), { answers: [] });
    assert.deepEqual(await put({ ...many, required: true }, [], ['blue']), answer({ selected: ['blue'] }));
    assert.deepEqual(await put(many, ['blue', '$(edit) Something else…'], 'green'), answer({ text: 'green', selected: ['blue'] }));
    assert.equal(await put(many, ['blue', '$(edit) Something else…'], undefined), null);
    const free = { text: 'Q?', type: 'FreeText', defaultValue: 'moon' };
    assert.deepEqual(await put(free, 'sun'), answer({ text: 'sun' }));
    assert.equal(done.asked[0]?.['value'], 'moon');
    assert.deepEqual(await put(free, ''), { answers: [] });
    assert.deepEqual(await put({ ...free, required: true }, 'x'), answer({ text: 'x' }));
    const validate = done.asked[0]['validateInput'] as (text: string) => string | undefined;
    assert.deepEqual([validate(' '), validate('x')], ['This question needs an answer', undefined]);
  });
});

// The life of a survey, using the public API only. Only the respondents come from the sandbox.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newMember, OutcomeUnknown, questionnaire as ask } from 'sondage';
import { failure, sandbox } from './support.mjs';

/** The number of messages that an operation has sent. */
async function sent(box, operation) {
  const { effects } = await box.ledger();
  const ours = effects.filter((effect) => effect.operation === operation && effect.kind === 'MessagesSent');
  return ours.reduce((sum, effect) => sum + effect.count, 0);
}

/** Takes the survey through its workflow, if the transitions exist. */
async function go(client, surveyId, targetState) {
  const { surveyState } = await client.readSurvey({ surveyId });
  const { transitions } = await client.readWorkflowTransitions({ workflow: 'SurveyDesign', currentState: surveyState });
  assert.ok(transitions.some((way) => way.newState === targetState), targetState);
  await client.executeWorkflowTransition({ workflow: 'SurveyDesign', surveyId, targetState });
}

const visit = [
  ask.singleChoice('back', { en: 'Will you come back?' }, { 1: { en: 'Yes' }, 2: { en: 'No' } }),
  ask.openQuestion('why', { en: 'Why?' }),
];
const surveyDefinition = ask.questionnaire(['en'], { Visit: visit });

test('the life of a survey', async () => {
  const box = await sandbox();
  const client = box.client();
  const { workspaceId, messageTemplateId } = box;
  const { surveyId } = await client.createSurvey({ workspaceId, name: 'Visitors', surveyDefinition });
  await go(client, surveyId, 'Published');

  const { id: panelId } = await client.createPanel({ workspaceId, name: 'Visitors', panelType: 'Basic' });
  const members = ['ada', 'alan', 'grace'].map((name) => newMember({ Email: `${name}@example.com` }));
  const imported = await client.createMembers({ panelId, members });
  assert.equal(imported.membersIds.length, 3);
  assert.deepEqual(imported.validationIssues, []);

  const invited = await client.inviteMembers({ surveyId, panelId, messageTemplateId, channel: 'Email' });
  assert.equal(await sent(box, 'InviteMembers'), 3);
  assert.ok(await box.emit('fill', { surveyId, people: 1 }));
  await client.remindMembers({ distributorId: invited.distributorId, messageTemplateId });
  assert.equal(await sent(box, 'RemindMembers'), 2, 'not who has answered');

  const rows = [...(await client.interviews(surveyId, { fields: ['Id', 'State', 'back'] }).table())];
  assert.equal(rows.length, 3);
  const [done] = rows.filter((row) => row.State === 'Completed');
  assert.match(String(done.back), /^[12]$/);
  const { downloadUrl } = await client.downloadAnswers({ surveyId, interviewId: done.Id });
  const document = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
  assert.equal(document.subarray(0, 5).toString(), '%PDF-');

  const folder = await mkdtemp(join(tmpdir(), 'sondage-story-'));
  after(() => rm(folder, { recursive: true }));
  const archived = await client.archiveAnswers(surveyId, folder);
  assert.deepEqual([archived.progress.stored, archived.failed], [1, []]);
  assert.equal((await readFile(join(folder, `${done.Id}.pdf`))).subarray(0, 5).toString(), '%PDF-');

  await go(client, surveyId, 'Closed');
  await client.deleteSurvey({ surveyId });
  await client.deletePanel({ panelId, keepInterviews: true });
  assert.equal((await fetch(downloadUrl)).status, 404, 'the link stops working when the survey closes');
  assert.equal((await failure(client.readSurvey({ surveyId }))).errorCode, 'SurveyNotFound');
});

test('a cut connection creates once, and the deletion still succeeds', async () => {
  const box = await sandbox();
  const client = box.client();
  const { workspaceId } = box;
  await box.fault({ on: 'CreateSurvey', action: { kind: 'cut', at: 'afterEffect' } });
  const doubtful = await failure(client.createSurvey({ workspaceId, name: 'Visitors', surveyDefinition }));
  assert.ok(doubtful instanceof OutcomeUnknown);
  const { surveys } = await client.readSurveyList({ workspaceId });
  const found = surveys.filter((survey) => survey.name === 'Visitors');
  assert.equal(found.length, 1, 'it was created once');
  await box.fault({ on: 'DeleteSurvey', action: { kind: 'cut', at: 'afterEffect' } });
  await client.deleteSurvey({ surveyId: found[0].id });
  const { requests, effects } = await box.ledger();
  assert.equal(requests.filter((one) => one.operation === 'DeleteSurvey').length, 2);
  assert.equal(effects.filter((one) => one.operation === 'DeleteSurvey').length, 1);
});

// Moves a survey through its states, and creates artifacts, on a survey platform in this process.

import { ApiError, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const { feedbackSurveyId: surveyId, workspaceId } = box;
const workflow = 'SurveyDesign';

// The current state, and the transitions from it.
const { surveyState: currentState } = await client.readSurvey({ surveyId });
if (currentState === null) throw new Error('the survey has no state');
console.log('it is', currentState);
for (const way of (await client.readWorkflowTransitions({ workflow, currentState })).transitions) {
  console.log(`${way.name} makes it ${way.newState}`);
}

// There.
await client.executeWorkflowTransition({ workflow, surveyId, targetState: 'Closed' });
console.log('it is', (await client.readSurvey({ surveyId })).surveyState);

// A transition that does not exist is refused.
try {
  await client.executeWorkflowTransition({ workflow, surveyId, targetState: 'Draft' });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.errorCode);
}

// Artifacts: names in folders of a workspace.
await client.createArtifact({ workspaceId, path: 'logos/2024' });
const { $extra: unparsed } = await client.readArtifactList({ workspaceId });
const artifacts = /** @type {{ path: string }[]} */ (unparsed?.artifacts);
console.log('artifacts:', artifacts.map(({ path }) => path));
await client.deleteArtifact({ workspaceId, path: 'logos/2024' });
box.stop();

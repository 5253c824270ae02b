// Every marked line must be found by the compiler, and no other.
import { BlockingClient, Client, Sandbox, field, newMember, webhooks } from 'sondage';

const client = new Client();
const blocking = new BlockingClient();

new Client({ tenat: 'acme' }); // wrong: a misspelt setting
new Client({ deadline: true }); // wrong: not a time
new BlockingClient({ tokenProvider: () => 'x' }); // wrong: it blocks
client.readPanel(); // wrong: no request
client.readPanel({}); // wrong: no panel
client.readPanel({ panelid: 5 }); // wrong: a misspelt key
client.readPanel({ panelId: '5' }); // wrong: a text
client.readPanels({ panelId: 5 }); // wrong: no such operation
client.readMemberList({ panelId: 5, paging: { pageSize: 5, page: 1, orderfield: 'Id' } }); // wrong: misspelt, deep inside
client.createMembers({ panelId: 5, members: [{ fields: { Email: { name: 'Email', value: 'x' } } }] }); // wrong: no fieldType
client.readMemberList({ panelId: 5, conditions: [{ identifier: 'Email' }] }); // wrong: half a condition
client.inviteMembers({ surveyId: 1, panelId: 1, messageTemplateId: 1, channel: 'Email', scheduleDateTime: '2024-05-01' }); // wrong: no Date
client.inviteMembers({ surveyId: 1, panelId: 1, messageTemplateId: 1, channel: 'Email', memberIds: undefined }); // wrong: left out, or there
client.inviteMembers({ surveyId: 1, panelId: 1, messageTemplateId: 1, conditions: null }); // wrong: left out, or there
client.planInvite({ surveyId: 1, panelId: 1, messageTemplateId: 1, where: undefined }); // wrong: left out, or there
client.readPanel({ panelId: 5 }, { signl: AbortSignal.abort() }); // wrong: a misspelt option
blocking.readPanel({ panelId: 5 }, { signal: AbortSignal.abort() }); // wrong: nothing can abort it
client.members(5, { wher: field('A').isEmpty() }); // wrong: a misspelt choice
client.interviews(5, { labels: 'some' }); // wrong: no such labels
client.pages('readPanel', { panelId: 5 }); // wrong: not paged
client.raw('/x', {}); // wrong: no effect
client.planUpdate(5, [{ Email: 'x' }], {}); // wrong: no key
client.importMembers(5, [{ Email: 'x' }], { key: 'Email', existing: 'replace' }); // wrong: no such word
client.createMembersFrom(5, [{ Tags: ['a'] }]); // wrong: a list
blocking.archiveAnswers(5, 'folder', { signal: AbortSignal.abort() }); // wrong: nothing can abort it
field('A').isSince('2024-05-01'); // wrong: no Date
newMember({ Born: new Date() }); // wrong: what type of field?
new Sandbox(); // wrong: Sandbox.demo()
const { members } = await client.readMemberList({ panelId: 5 });
members[0]?.createdAt.length; // wrong: a Date
members[0]?.emial; // wrong: no such property
const id: number = members[0]?.id ?? 0; // wrong: it may be a bigint
for (const member of client.members(5)) console.log(member, id); // wrong: for await
webhooks.basic('survalyzer'); // wrong: no password
webhooks.bearer('key', 'audience', { day: 30 }); // wrong: a misspelt option
const event = webhooks.obscureUrl().verify('/', {}, { eventType: 'Approved' }); // wrong: a parsed body
client.missedEvents(7, {}); // wrong: since when?
if (event.entity.kind === 'survey') console.log(event.entity.bounceType); // wrong: a survey does not bounce

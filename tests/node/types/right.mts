// Right, under --strict.
import { tableFromIPC } from 'apache-arrow';
import {
  ApiError, BlockingClient, Client, Login, OutcomeUnknown, Sandbox, SondageError, field, idsAs, logTo, newMember, questionnaire as ask, webhooks,
  type ClientOptions, type Condition, type CreateMembersResponse, type ErrorCode, type FieldValue, type Int, type LogLevel, type Member, type Table,
} from 'sondage';

const options: ClientOptions = {
  account: 'https://acme.survalyzer-eu.app',
  deadline: 30_000,
  pageSize: 500n,
  tokenProvider: async ({ signal }) => (signal.aborted ? '' : 'token'),
};
const client = new Client(options);
await using box = await Sandbox.demo({ profile: { firstPage: 0 }, firstMemberId: 2n ** 60n });
await using own: Client = box.client();

const { members, totalCount, $extra } = await client.readMemberList({ panelId: box.panelId });
const count: Int | null = totalCount;
const unknown: unknown = $extra?.['later'];
for await (const member of client.members(123, { fields: ['Email'], where: field('Division').isEqualTo('Sales') })) {
  const one: Member = member;
  const value: FieldValue | undefined = one.fields['Email']?.value;
  const created: Date = one.createdAt;
  console.log(value, created.getTime(), one.updatedAt?.getTime());
}
const back = ask.singleChoice('back', { en: 'Again?' }, { 1: { en: 'Yes' }, 2: { en: 'No' } }, { forceResponse: true });
const surveyDefinition = ask.questionnaire(['en'], { Visit: [back] }, { end: { en: 'Bye' }, allowNavigateBack: false });
await client.createSurvey({ workspaceId: 3, name: 'Visitors', surveyDefinition });
const created: CreateMembersResponse = await client.createMembers(
  { panelId: 5n, members: [newMember({ Email: 'a@example.org', Age: 36 })] },
  { signal: AbortSignal.timeout(1000), deadline: 500, extra: { later: true } },
);
const filter = field.column('State').isEqualTo('Completed').and(field.question('NPS').isLessThan(7).or(field('A').isEmpty()));
const conditions: Condition[] = filter.compile();
await client.inviteMembers({
  surveyId: 7, panelId: 5, messageTemplateId: 42, channel: 'Email', conditions: filter, scheduleDateTime: new Date(),
});
await client.readMemberList({ panelId: 5, conditions, paging: { pageSize: 10, page: 1, orderDirection: 'SomethingNew' } });
await client.readWorkspaceList();

const table: Table = await client.interviews(7, { labels: 'both', updatedSince: new Date() }).table();
console.log(tableFromIPC(table.toIPC()).numRows, table.columns.length);
for await (const batch of client.interviews(7, { pageSize: 1000 })) for (const row of batch) console.log(row['vote']);
for await (const survey of client.pages('readSurveyList', { workspaceId: 3 })) console.log(survey.id);
const status: number = (await client.withResponse('readPanel', { panelId: 5 })).status;
const groups = (await client.withResponse('readPanel', { panelId: 5 })).value.panel?.groups;
const creation = await client.createMembersFrom(5, [{ Email: 'a@example.org', Since: new Date() }], { chunkSize: 10 });
const plan = await client.planUpdate(5, new Uint8Array(), { key: 'Email', clearNulls: true });
const imported = await client.importMembers(5, [{ Email: 'a@example.org' }], { key: 'Email', existing: 'update', quiet: 1000 });
console.log(imported.created satisfies number, imported.rows.numRows, imported.stopped?.code);
const applied: Int[] = (await plan.apply()).applied;
const changes: Table = plan.changes;
console.log(creation.created, creation.stopped?.code, applied.length, changes.numRows, plan.skipped[0]?.reason satisfies string | undefined);
const documents = await client.archiveAnswers(7, 'documents', { locale: 'de', onProgress: (now) => console.log(now.stored) });
const bounces: Table = await client.pages('readBounceList', { surveyId: 7 }).table();
console.log(documents.failed[0]?.error.code, bounces.columns);
const raw = await client.raw('/publicapi/Panel/v3/ReadPanel', { panelId: 5 }, { effect: 'read' });

try {
  await client.close({ timeout: 5 });
} catch (error) {
  if (error instanceof OutcomeUnknown) console.log(error.reconcile, error.operation);
  else if (error instanceof ApiError) console.log(error.errorCode, error.code satisfies 'Api');
  else if (error instanceof SondageError) console.log(error.code satisfies ErrorCode | 'Refused', error.retryAfter);
}
{
  using blocking = new BlockingClient({ tenant: 'acme' });
  const first: Member | undefined = blocking.readMemberList({ panelId: 5 }).members[0];
  for (const member of blocking.members(5)) console.log(member.id === first?.id);
}
for (const line of own.config.explain()) console.log(line.setting, line.value, line.source);
const login = new Login({ redirect: 'https://app.example.com/back' });
const person: Client = await login.paste(login.url);
console.log(person, members.length, count, unknown, created.membersIds[0], status, groups, raw);

const hook: webhooks.Hook = webhooks.bearer('a key', 'audience', { days: 30, issuedAt: new Date() }).accepting(webhooks.obscureUrl());
await client.createWebHook(hook.registration('https://acme.example/hooks', 'InterviewComplete', box.surveyId));
const guard = new webhooks.Guard();
export async function receive(request: Request): Promise<Response> {
  try {
    const event = hook.verify(request.url, request.headers, await request.arrayBuffer());
    return new Response(null, { status: await guard.once(event, handle) });
  } catch (error) {
    if (error instanceof webhooks.Refused) return new Response(null, { status: webhooks.Refused.STATUS });
    throw error;
  }
}
async function handle({ entity, eventType = 'SomethingNew', raw }: webhooks.Event): Promise<void> {
  if (entity.kind === 'interview') console.log(entity.surveyId, entity.updatedAt?.getTime(), eventType, raw);
  if (entity.kind === 'member') console.log(entity.fields?.['Email']?.value);
}
for (const event of (await client.missedEvents(7, { since: new Date(), unknownTo: guard })).events) {
  if ((await client.confirmEvent(event, { columns: ['NPS'] })).holds) await guard.once(event, handle);
}
await box.deliveries.fault({ every: 5, action: { kind: 'duplicate', copies: 2 } });
await box.emit('complete', { id: 'x' });

async function* cursor() {
  yield { Email: 'a@example.org', Age: 36 };
}
await client.importMembers(5, cursor(), { key: 'Email', signal: AbortSignal.timeout(1000) });
const byId: Record<number, Member> = {};
for (const member of idsAs(members, 'number').sort((one, other) => one.id - other.id)) byId[member.id] = { ...member };
const row = idsAs(created, 'bigint').membersIds satisfies (bigint | null)[];
const text: string = idsAs(members[0]!, 'string').id;
logTo(console, { level: 'debug' });
logTo(({ level, message }) => console.log(level satisfies LogLevel, message));
const kept = new Map<string, string>();
new Client({ tokenStore: { load: (key) => kept.get(key), save: async (key, tokens) => kept.set(key, tokens), forget: (key) => kept.delete(key) } });
for (const { operation, response, error } of (await client.writeOutcomes()).writes) console.log(operation, response, error?.code);
console.log(row, text);

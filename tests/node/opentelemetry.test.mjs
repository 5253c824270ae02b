// Spans and metrics of calls.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { instrument } from 'sondage/opentelemetry';
import { failure, sandbox } from './support.mjs';

const box = await sandbox();
const { panelId } = box;
const spans = new InMemorySpanExporter();
const tracers = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
tracers.register();
const tracer = tracers.getTracer('app');
const of = (name) => spans.getFinishedSpans().filter((span) => span.name === name);

test('a call is a span below that of its caller', async () => {
  const exporter = new InMemoryMetricExporter(1);
  const reader = new PeriodicExportingMetricReader({ exporter });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const client = box.client({ traceEntries: 100, retryBase: 10 });
  const instrumentation = await instrument(client, { meterProvider });
  await box.fault({ on: 'ReadPanel', action: { kind: 'status', status: 503 } });
  const request = (number) =>
    tracer.startActiveSpan(`request ${number}`, async (span) => {
      await client.readPanel({ panelId });
      span.end();
    });
  await request(1);
  await Promise.all([request(2), request(3)]);
  await failure(client.readPanel({ panelId: 1 }));
  await instrumentation.close();

  const calls = of('ReadPanel');
  assert.equal(calls.length, 4);
  for (const number of [1, 2, 3]) {
    const [caller] = of(`request ${number}`);
    const below = calls.filter((call) => call.parentSpanContext?.spanId === caller.spanContext().spanId);
    assert.deepEqual(below.map((call) => call.status.code), [SpanStatusCode.UNSET]);
  }
  const first = calls.find((call) => call.events.length > 0);
  assert.deepEqual(first.events.map((event) => event.name), ['wait']);
  const attempts = of('POST').filter((span) => span.parentSpanContext?.spanId === first.spanContext().spanId);
  assert.deepEqual(attempts.map((span) => span.attributes['http.response.status_code']), [503, 200]);
  assert.ok(attempts.every((span) => span.kind === SpanKind.CLIENT));
  assert.ok(attempts.every((span) => span.attributes['server.address'] === '127.0.0.1'));
  assert.deepEqual(of('token').map((span) => [span.kind, span.attributes['server.address']]), [[SpanKind.CLIENT, '127.0.0.1']]);
  const failed = calls.find((call) => call.status.code === SpanStatusCode.ERROR);
  assert.equal(failed.parentSpanContext, undefined);

  await reader.forceFlush();
  const [metric] = exporter.getMetrics()[0].scopeMetrics[0].metrics;
  assert.equal(metric.descriptor.name, 'http.client.request.duration');
  assert.equal(metric.dataPoints.reduce((sum, point) => sum + point.value.count, 0), 5);
  await meterProvider.shutdown();
});

test('the check of a list\'s end is no error', async () => {
  const client = box.client({ traceEntries: 100, facts: 'off' });
  const instrumentation = await instrument(client);
  for await (const _ of client.members(panelId)) continue;
  await instrumentation.close();
  const checks = of('ReadMemberList').filter((span) => span.attributes['sondage.purpose'] === 'check of the end');
  assert.deepEqual(checks.map((span) => span.status.code), checks.map(() => SpanStatusCode.UNSET));
  assert.ok(checks.some((span) => span.attributes['http.response.status_code'] === 400), 'the page before the first is refused');
});

test('a client without a trace is refused', async () => {
  assert.match((await failure(instrument(box.client()))).message, /`traceEntries`/);
});

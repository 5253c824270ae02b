'use strict';
// Calls of a client as spans of OpenTelemetry. The application must install `@opentelemetry/api`.

const api = require('@opentelemetry/api');
const { Following } = require('./lib/follow.js');
const native = require('./lib/native.js');
const { version } = require('./package.json');

/** The number of instrumented clients. Without one, no spans are requested. */
let open = 0;

/** The active span in the form of the header. */
function parent() {
  const { traceId, spanId, traceFlags } = api.trace.getSpanContext(api.context.active()) ?? {};
  return traceId ? `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` : undefined;
}

function below(traceparent) {
  if (!traceparent) return api.ROOT_CONTEXT;
  const [, traceId, spanId, flags] = traceparent.split('-');
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) });
}

function attributes({ operation, status, error, server, purpose }) {
  return {
    'sondage.operation': operation,
    'http.request.method': 'POST',
    ...(server === null ? {} : { 'server.address': server }),
    ...(purpose === null ? {} : { 'sondage.purpose': purpose }),
    ...(status === null ? {} : { 'http.response.status_code': status }),
    ...(error === null ? {} : { 'error.type': error }),
  };
}

function end(span, { error, at }) {
  if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR, message: error });
  span.end(at);
}

class Instrumentation {
  #tracer;
  #duration;
  #missed;
  #steps = new Map();
  #closed = false;
  #following;

  constructor(client, next, { tracerProvider = api.trace, meterProvider = api.metrics }) {
    this.#tracer = tracerProvider.getTracer('sondage', version);
    const meter = meterProvider.getMeter('sondage', version);
    const description = 'Duration of requests to the service.';
    this.#duration = meter.createHistogram('http.client.request.duration', { unit: 's', description });
    const lost = 'Entries that were no longer kept when they were read.';
    this.#missed = meter.createCounter('sondage.trace.missed', { unit: '{entry}', description: lost });
    if (open++ === 0) native.askParents(parent);
    const read = (options) => api.context.with(api.ROOT_CONTEXT, () => client.trace(options));
    this.#following = new Following(read, next, ({ entries, missed }) => {
      if (missed > 0) this.#missed.add(missed);
      for (const entry of entries) this.#take(entry);
    });
  }

  async close() {
    if (this.#closed) return;
    this.#closed = true;
    await this.#following.close();
    if (--open === 0) native.askParents(null);
  }

  #take(entry) {
    if (entry.kind === 'token') end(this.#span('token', entry, api.ROOT_CONTEXT, api.SpanKind.CLIENT), entry);
    if (entry.callId === null) return;
    const steps = this.#steps.get(entry.callId) ?? [];
    if (entry.kind === 'call') {
      this.#steps.delete(entry.callId);
      this.#call(entry, steps);
    } else {
      this.#steps.set(entry.callId, [...steps, entry]);
    }
  }

  #call(call, steps) {
    const context = below(call.parent);
    const span = this.#span(call.operation, call, context, api.SpanKind.INTERNAL);
    for (const step of steps) {
      if (step.kind === 'wait') {
        span.addEvent('wait', { 'sondage.wait_ms': step.milliseconds }, step.at);
        continue;
      }
      end(this.#span('POST', step, api.trace.setSpan(context, span), api.SpanKind.CLIENT), step);
      this.#duration.record(step.milliseconds / 1000, attributes(step));
    }
    end(span, call);
  }

  #span(name, entry, context, kind) {
    const more = entry.callId === null ? {} : { 'sondage.call_id': entry.callId };
    if (entry.requestId !== null) more['sondage.request_id'] = entry.requestId;
    if (entry.kind === 'attempt') {
      more['http.request.body.size'] = entry.sent;
      more['http.response.body.size'] = entry.received;
      more['http.request.resend_count'] = entry.attempts - 1;
    }
    const startTime = new Date(entry.at.getTime() - entry.milliseconds);
    return this.#tracer.startSpan(name, { kind, startTime, attributes: { ...attributes(entry), ...more } }, context);
  }
}

async function instrument(client, providers = {}) {
  const { next } = await client.trace();
  return new Instrumentation(client, next, providers);
}

exports.instrument = instrument;
exports.Instrumentation = Instrumentation;

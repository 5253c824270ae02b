'use strict';
// Receivers of webhooks for web frameworks, which are not loaded here: what they pass is enough.

const { invalid, object, refuseUnknown } = require('./fail.js');
const { Guard } = require('./guard.js');
const { StoreGuard } = require('./store_guard.js');
const { Hook, Refused } = require('./webhooks.js');

/** Checks the arguments, and returns what handles a verified request: the status to respond with. */
function receiver(hook, handle, options) {
  const { guard = new Guard(), ...unknown } = object(options, 'options');
  refuseUnknown(unknown, 'guard');
  Hook.native(hook);
  if (!(guard instanceof Guard || guard instanceof StoreGuard)) throw invalid('`guard` is not a Guard');
  if (typeof handle !== 'function') throw invalid('`handle` must be a function of an event');
  return async (url, headers, body) => {
    const event = hook.verify(url, headers, body);
    let isHandlers = false;
    const watched = async () => {
      isHandlers = true;
      await handle(event);
      isHandlers = false;
    };
    try {
      return await guard.once(event, watched);
    } catch (error) {
      // Express and Fastify respond with this status: the guard cannot remember the event, so the service must send it again.
      if (!isHandlers) error.status = error.statusCode = 503;
      throw error;
    }
  };
}

function express(hook, handle, options = {}) {
  const receive = receiver(hook, handle, options);
  return async (request, response, next) => {
    try {
      // No more than the hook allows, whoever sends it.
      const body = await hook.read(request);
      response.statusCode = await receive(request.originalUrl ?? request.url, request.rawHeaders, body);
      response.end();
    } catch (error) {
      if (!(error instanceof Refused)) return next(error);
      response.writeHead(Refused.STATUS, { Connection: 'close' }).end();
    }
  };
}

function fastify(hook, handle, options = {}) {
  const receive = receiver(hook, handle, options);
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_, stream) => hook.read(stream));
    app.post('*', async (request, reply) => {
      try {
        return reply.code(await receive(request.url, request.raw.rawHeaders, request.body)).send();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return reply.code(Refused.STATUS).header('Connection', 'close').send();
      }
    });
  };
}

Object.assign(exports, { express, fastify });

'use strict';
// The trace of a client on the channels of `node:diagnostics_channel`.

const { channel } = require('node:diagnostics_channel');
const { Following } = require('./lib/follow.js');

exports.publish = async function publish(client) {
  const { next } = await client.trace();
  return new Following((options) => client.trace(options), next, ({ entries, missed }) => {
    if (missed > 0) channel('sondage:missed').publish({ missed });
    for (const entry of entries) channel(`sondage:${entry.kind}`).publish(entry);
  });
};

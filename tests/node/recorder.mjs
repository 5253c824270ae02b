// A service in a thread of its own, so that it responds even while the test blocks: it returns the next response and
// records the requests.

import { createServer } from 'node:http';
import { Worker, isMainThread, parentPort, receiveMessageOnPort, MessageChannel, workerData } from 'node:worker_threads';

if (!isMainThread && workerData?.recorder) {
  let answer = '{}';
  parentPort.on('message', (next) => (answer = next));
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const { url: path, headers } = request;
      workerData.port.postMessage({ path, headers, body: Buffer.concat(pieces).toString() });
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}`));
}

export class Recorder {
  static async start() {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(new URL(import.meta.url), { workerData: { recorder: true, port: port2 }, transferList: [port2] });
    const address = await new Promise((resolve) => worker.once('message', resolve));
    port1.unref();
    return new Recorder(worker, port1, address);
  }

  constructor(worker, port, address) {
    Object.assign(this, { worker, port, address });
  }

  /** Sets the response to the next requests, and clears the recorded ones. */
  answer(text) {
    while (receiveMessageOnPort(this.port));
    this.worker.postMessage(text);
  }

  /** The first request since then. */
  request() {
    return receiveMessageOnPort(this.port)?.message;
  }

  stop() {
    return this.worker.terminate();
  }
}

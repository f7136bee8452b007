// One kept-alive HTTP/1.1 connection over plain TCP, with one request at a time. Of a body that is
// not text only the beginning is kept: the rest is counted, and dropped in the kernel.
'use strict';
const net = require('node:net');

const KEPT_BYTES = 1024; // more than the boxes before a segment's media data
const READ_BYTES = 65536;
const PROGRESS_MS = 50; // XMLHttpRequest's progress events come at most that often
const buffer = Buffer.allocUnsafe(READ_BYTES);

// native: {take(fd, bytes, ms, came), stop(fd)}; see receive.c.
class Connection {
  constructor(pool, native) {
    this.pool = pool;
    this.native = native;
    this.exchange = null;
    this.isTaking = false;
    this.socket = net.connect({
      host: pool.host,
      port: pool.port,
      noDelay: true,
      onread: { buffer, callback: (size) => this.receive(size) },
    });
    this.socket.on('connect', () => {
      this.port = this.socket.localPort;
    });
    this.socket.on('error', () => this.broken());
    this.socket.on('close', () => this.broken());
  }

  start(exchange) {
    this.exchange = exchange;
    exchange.connection = this;
    this.header = '';
    this.inBody = false;
    this.socket.write(exchange.head);
  }

  receive(size) {
    const exchange = this.exchange;
    if (!exchange) return true;
    let from = 0;
    if (!this.inBody) {
      if (this.header === '') exchange.onFirstByte();
      const before = this.header.length;
      this.header += buffer.latin1Slice(0, size);
      const end = this.header.indexOf('\r\n\r\n');
      if (end < 0) return true;
      this.inBody = true;
      from = end + 4 - before;
      exchange.onHeader(this.header.slice(0, end));
      if (this.exchange !== exchange) return true; // taken back by who was told
    }
    exchange.feed(buffer.subarray(from, size));
    this.goOn(exchange);
    return true;
  }

  goOn(exchange) {
    if (exchange.done) return void this.finish();
    exchange.onProgress();
    if (this.exchange === exchange && exchange.droppable > 0) this.take(exchange);
  }

  // Drop what may be as it comes.
  take(exchange) {
    this.socket.pause();
    this.isTaking = true;
    let [before, ended] = [0, false];
    this.native.take(this.socket._handle.fd, exchange.droppable, PROGRESS_MS, (bytes, over) => {
      if (ended || this.exchange !== exchange) return;
      exchange.dropped(bytes - before);
      [before, ended] = [bytes, over];
      if (over) this.took(exchange);
      else exchange.onProgress();
    });
  }

  took(exchange) {
    this.isTaking = false;
    this.socket.resume();
    if (exchange.droppable <= 0) this.goOn(exchange); // else the socket is about to tell why
  }

  finish() {
    const exchange = this.exchange;
    this.release();
    exchange.onDone();
    this.pool.free(this);
  }

  broken() {
    const exchange = this.exchange;
    this.release();
    this.pool.lost(this);
    if (exchange) exchange.onBroken();
  }

  // Have no exchange any longer.
  release() {
    this.exchange = null;
    if (this.isTaking && this.socket._handle) this.native.stop(this.socket._handle.fd);
    this.isTaking = false;
  }
}

module.exports = { Connection, KEPT_BYTES, PROGRESS_MS };

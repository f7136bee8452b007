// A browser's connections to one server: six at most over HTTP/1.1, opened when all are busy.
'use strict';
const alarm = require('./alarm.cjs');
const { Connection } = require('./connection.cjs');

const CONNECTIONS = 6; // Chromium, Firefox and Safari alike
// From a page to the process of its network and back, as Chromium's take it on the virtual clock:
// there nothing takes time but to read the clock.
const AWAY_MS = 0.035;

class Pool {
  constructor(host, port, native) {
    Object.assign(this, { host, port, native });
    this.all = new Set();
    this.idle = [];
    this.waiting = [];
  }

  ask(exchange) {
    exchange.recall = alarm.at(performance.now() + AWAY_MS, () => {
      exchange.onLeft();
      this._send(exchange);
    });
  }

  _send(exchange) {
    if (this.idle.length) this.idle.pop().start(exchange);
    else if (this.all.size < CONNECTIONS) {
      const connection = new Connection(this, this.native);
      this.all.add(connection);
      connection.start(exchange);
    } else this.waiting.push(exchange);
  }

  free(connection) {
    if (this.waiting.length) connection.start(this.waiting.shift());
    else if (this.all.has(connection)) this.idle.push(connection);
  }

  lost(connection) {
    this.all.delete(connection);
    this.idle = this.idle.filter((one) => one !== connection);
    if (this.waiting.length) this._send(this.waiting.shift());
  }

  // HTTP/1.1 knows no other way to take a request back than to close its connection.
  abort(exchange) {
    exchange.recall();
    const at = this.waiting.indexOf(exchange);
    if (at >= 0) this.waiting.splice(at, 1);
    else if (exchange.connection?.exchange === exchange) {
      exchange.connection.release();
      exchange.connection.socket.destroy();
    }
  }
}

module.exports = { Pool };

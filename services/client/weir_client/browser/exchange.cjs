// A request and what has come of its response. Who made it overrides what it is told by.
'use strict';
const { KEPT_BYTES } = require('./connection.cjs');

// The request line and header lines that ask for a URL.
function headOf(method, { pathname, search, host }, headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`;
}

// The value in header lines, or null.
function valueOf(header, name) {
  const found = new RegExp(`^${name}: *(.*)$`, 'im').exec(header);
  return found ? found[1].trim() : null;
}

class Exchange {
  // keepsAll: the body is text, and wanted; of others only the beginning is.
  constructor(head, keepsAll) {
    Object.assign(this, { head, keepsAll, received: 0, length: Infinity });
    this.parts = [];
    this.kept = 0;
  }

  // What the header says of the body's length (RFC 9112, section 6.3).
  framedBy(header) {
    if (valueOf(header, 'transfer-encoding') === 'chunked') {
      const { Chunked } = require('./chunked.cjs');
      this.chunked = new Chunked();
    } else this.length = Number(valueOf(header, 'content-length'));
  }

  // How many bytes are the body's for certain, and still to come.
  get missing() {
    return this.chunked ? this.chunked.left : this.length - this.received;
  }

  get done() {
    return this.chunked ? this.chunked.ended : this.missing <= 0;
  }

  // How many bytes may be thrown away unseen.
  get droppable() {
    return this.wantsBytes ? 0 : this.missing;
  }

  // Bytes of the connection.
  feed(bytes) {
    if (this.chunked) this.chunked.feed(bytes, (data) => this.take(data));
    else this.take(bytes);
  }

  // Bytes that came and were thrown away.
  dropped(bytes) {
    this.received += bytes;
    if (this.chunked) this.chunked.left -= bytes;
  }

  // Whether what comes next is wanted, and not only how much it is.
  get wantsBytes() {
    return this.keepsAll || this.kept < KEPT_BYTES;
  }

  take(bytes) {
    this.received += bytes.length;
    const wanted = this.keepsAll ? bytes.length : Math.min(bytes.length, KEPT_BYTES - this.kept);
    if (wanted <= 0) return;
    this.parts.push(Buffer.from(bytes.subarray(0, wanted)));
    this.kept += wanted;
  }

  get text() {
    return Buffer.concat(this.parts).toString();
  }

  // The body: where it was dropped, zeros, which take no memory until they are touched.
  get bytes() {
    const body = new ArrayBuffer(this.received);
    new Uint8Array(body, 0, this.kept).set(Buffer.concat(this.parts));
    return body;
  }
}

module.exports = { Exchange, headOf, valueOf };

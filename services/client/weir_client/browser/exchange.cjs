// A request and what has come of its response. Who made it overrides what it is told by.
'use strict';
const { KEPT_BYTES } = require('./connection.cjs');

class Exchange {
  // keepsAll: the body is text, and wanted; of others only the beginning is.
  constructor(head, keepsAll) {
    Object.assign(this, { head, keepsAll, received: 0, length: Infinity });
    this.parts = [];
    this.kept = 0;
  }

  get missing() {
    return this.length - this.received;
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

module.exports = { Exchange };

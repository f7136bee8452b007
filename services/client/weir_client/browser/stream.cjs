// An exchange whose body, of ISO base media, is passed on as it comes: boxes as they are, and zeros
// for the media data that is dropped.
'use strict';
const { Exchange } = require('./exchange.cjs');

const HEADER_BYTES = 8;

class Stream extends Exchange {
  constructor(head) {
    super(head, false);
    this.box = Buffer.alloc(HEADER_BYTES);
    this.has = 0; // bytes of its header
    this.left = 0; // bytes of its content that are still to come
    this.isMedia = false;
  }

  get droppable() {
    return this.isMedia ? Math.min(this.left, this.missing) : 0;
  }

  take(bytes) {
    this.received += bytes.length;
    this._pass(bytes);
    this.onPiece(new Uint8Array(bytes));
  }

  dropped(bytes) {
    super.dropped(bytes);
    this.left -= bytes;
    if (bytes > 0) this.onPiece(new Uint8Array(bytes));
  }

  // Find out what comes after these bytes.
  _pass(bytes) {
    for (let at = 0; at < bytes.length; ) {
      if (this.left === 0) {
        const part = bytes.subarray(at, at + HEADER_BYTES - this.has);
        this.box.set(part, this.has);
        this.has += part.length;
        at += part.length;
        if (this.has < HEADER_BYTES) return;
        this.has = 0;
        this.left = this.box.readUInt32BE(0) - HEADER_BYTES;
        this.isMedia = this.box.latin1Slice(4, 8) === 'mdat';
      } else {
        const passed = Math.min(this.left, bytes.length - at);
        this.left -= passed;
        at += passed;
      }
    }
  }
}

module.exports = { Stream };

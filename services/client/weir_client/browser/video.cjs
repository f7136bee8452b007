// HTMLVideoElement (html.spec.whatwg.org, section 4.8.11) that plays by the clock what is buffered.
'use strict';
const alarm = require('./alarm.cjs');
const beat = require('./beat.cjs');
const { TimeRanges, common, endOf } = require('./ranges.cjs');
const urls = require('./object_urls.cjs');

const HAVE = { NOTHING: 0, METADATA: 1, CURRENT: 2, FUTURE: 3, ENOUGH: 4 };
const TIMEUPDATE_MS = 250; // as Chromium, which tells them as seldom as it may
const PROGRESS_MS = 350;
const FRAMES_PER_S = 25;
const AT_END_S = 0.1;
// What a browser does in a task of its own; Node's setTimeout would wait for a millisecond.
const task = setImmediate;

class HTMLVideoElement extends EventTarget {
  static HAVE_NOTHING = HAVE.NOTHING;
  static HAVE_METADATA = HAVE.METADATA;
  static HAVE_CURRENT_DATA = HAVE.CURRENT;
  static HAVE_FUTURE_DATA = HAVE.FUTURE;
  static HAVE_ENOUGH_DATA = HAVE.ENOUGH;

  constructor() {
    super();
    Object.assign(this, {
      nodeName: 'VIDEO', readyState: HAVE.NOTHING, paused: true, ended: false, seeking: false,
      autoplay: false, preload: 'auto', error: null, volume: 1, muted: true, style: {},
      clientWidth: 1920, clientHeight: 1080, videoWidth: 1920, videoHeight: 1080,
      textTracks: Object.assign(new EventTarget(), { length: 0 }),
    }); // prettier-ignore
    this.rate = 1;
    this.at = 0; // media time in s, at `since`
    this.since = 0;
    this.running = false;
    this.stalledMs = 0; // of stalls that are over
    this.stalledSince = null;
    this.told = 0; // media time in s of the last timeupdate
    this.loaded = false; // something since the last progress event
    this.onMotion = () => {}; // playback is elsewhere, or faster or slower than it was
  }

  get src() {
    return this.url ?? '';
  }

  set src(url) {
    this.url = url;
    this.media = urls.get(url);
    task(() => this.media?.attach(this));
    this.endProgress ??= beat.every(PROGRESS_MS, () => this._progress());
  }

  load() {}
  // Of what may be put into it, a <source> alone says anything here.
  appendChild({ src }) {
    if (src) this.src = src;
  }
  removeChild() {}
  getElementsByTagName() {
    return [];
  }
  setAttribute() {}
  removeAttribute() {
    this.url = '';
  }
  getAttribute() {
    return null;
  }
  canPlayType() {
    return 'probably';
  }
  get duration() {
    return this.media ? this.media.duration : NaN;
  }
  get played() {
    return new TimeRanges(this.currentTime > 0 ? [[0, this.currentTime]] : []);
  }
  get seekable() {
    return new TimeRanges([[0, this.duration]]);
  }
  get buffered() {
    return new TimeRanges(this.ranges);
  }

  // What all source buffers hold.
  get ranges() {
    const each = this.media ? this.media.sourceBuffers.map((buffer) => buffer.ranges) : [];
    return each.length ? each.reduce(common) : [];
  }

  // Media in s that can be played on from here.
  get aheadS() {
    const end = endOf(this.ranges, this.currentTime);
    return end === null ? 0 : end - this.currentTime;
  }

  // Media s a second.
  get speed() {
    return this.running ? this.rate : 0;
  }

  // All stalls so far; the wait for the start is none.
  get stalledS() {
    const goesOn = this.stalledSince === null ? 0 : performance.now() - this.stalledSince;
    return (this.stalledMs + goesOn) / 1000;
  }

  get currentTime() {
    if (!this.running) return this.at;
    const played = ((performance.now() - this.since) / 1000) * this.rate;
    return Math.min(this.at + played, this.limit);
  }

  // Where nothing is there to be played on, who looks on waits as in any stall.
  set currentTime(seconds) {
    if (this.running) this.stalledSince = performance.now();
    this._stop();
    this.at = seconds;
    this.seeking = true;
    this.ended = false;
    this.onMotion();
    task(() => {
      this._tell('seeking');
      this._goOn();
    });
  }

  get playbackRate() {
    return this.rate;
  }

  set playbackRate(rate) {
    if (rate === this.rate) return;
    const running = this.running;
    this._stop();
    this.rate = rate;
    task(() => this._tell('ratechange'));
    if (running && endOf(this.ranges, this.at) === null) this._runDry();
    else if (running) this._start();
    this.onMotion();
  }

  getVideoPlaybackQuality() {
    const totalVideoFrames = Math.floor(this.currentTime * FRAMES_PER_S);
    return { droppedVideoFrames: 0, totalVideoFrames, creationTime: performance.now() };
  }

  play() {
    if (this.paused) {
      this.paused = false;
      this._tell('play');
      if (this.readyState < HAVE.FUTURE) this._tell('waiting');
      this._tick();
      this._goOn();
      if (this.running) task(() => this._tell('playing'));
    }
    return Promise.resolve();
  }

  pause() {
    if (this.paused) return;
    this.paused = true;
    this._stop();
    this.onMotion();
    this._timeUpdate();
    this._tick();
    this._tell('pause');
  }

  hasMetadata() {
    if (this.readyState !== HAVE.NOTHING) return;
    this.readyState = HAVE.METADATA;
    this._tell('durationchange');
    this._tell('loadedmetadata');
    this._tick();
  }

  durationChanged() {
    if (this.readyState > HAVE.NOTHING) this._tell('durationchange');
  }

  bufferedChanged() {
    this.loaded = true;
    this._goOn();
  }

  // Where there is something to be played, play it.
  _goOn() {
    const at = this.currentTime;
    if (endOf(this.ranges, at) === null) {
      if (!this.running) this._endAt(at);
      return;
    }
    const before = this.readyState;
    this.hasMetadata();
    if (this.seeking) {
      this.seeking = false;
      this._timeUpdate();
      this._tell('seeked');
    }
    this.readyState = HAVE.ENOUGH;
    if (before < HAVE.CURRENT) this._tell('loadeddata');
    if (before < HAVE.FUTURE) this._tell('canplay');
    if (before < HAVE.ENOUGH) this._tell('canplaythrough');
    if (before < HAVE.FUTURE && !this.paused) this._tell('playing');
    this._start();
  }

  _start() {
    const at = this.currentTime;
    const end = endOf(this.ranges, at);
    if (this.paused || this.rate <= 0 || end === null) return;
    this.stalledMs = this.stalledS * 1000;
    this.stalledSince = null;
    Object.assign(this, { at, since: performance.now(), limit: end, running: true });
    this.endUnderflow?.();
    const endMs = this.since + ((end - at) / this.rate) * 1000;
    this.endUnderflow = alarm.at(endMs, () => this._runDry());
    this.onMotion();
  }

  _stop() {
    this.at = this.currentTime;
    this.running = false;
    this.endUnderflow?.();
  }

  // Tell of the time at intervals as long as it is to play, also where it waits for media.
  _tick() {
    const ticks = this.readyState > HAVE.NOTHING && !this.paused;
    if (!ticks) this.endTicking?.();
    this.endTicking = ticks ? (this.endTicking ?? this._ticking()) : null;
  }

  _ticking() {
    return beat.every(TIMEUPDATE_MS, () => {
      if (!this.seeking && this.currentTime !== this.told) this._told();
    });
  }

  // Tell of the time now, and at intervals from now on.
  _timeUpdate() {
    this.endTicking?.();
    this.endTicking &&= this._ticking();
    this._told();
  }

  _told() {
    this.told = this.currentTime;
    this._tell('timeupdate');
  }

  _progress() {
    if (this.loaded) this._tell('progress');
    this.loaded = false;
  }

  _runDry() {
    const at = this.currentTime;
    if (endOf(this.ranges, at) !== null) return void this._start();
    this._stop();
    this.onMotion();
    if (this._endAt(at)) return;
    this.readyState = HAVE.CURRENT;
    this.stalledSince = performance.now();
    this._timeUpdate();
    this._tell('waiting');
  }

  // Whether the film is over.
  _endAt(at) {
    if (this.media?.readyState !== 'ended' || at < this.duration - AT_END_S) return false;
    if (this.ended) return true;
    this.ended = true;
    this.paused = true;
    this._timeUpdate();
    this._tick();
    this._tell('pause');
    this._tell('ended');
    return true;
  }

  _tell(type) {
    this.dispatchEvent(new Event(type));
  }
}

module.exports = { HTMLVideoElement };

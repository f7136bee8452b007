// What the page of a client notes: a row for each segment, each choice of a level, and how it played.
'use strict';
const weir = (() => {
  const SEGMENT = /\/dash\/(\d+)\/(\d+)\.m4s$/; // as weir_server.mpd names them
  const WHOLE = 206; // a segment that is a file of its own comes whole with 200
  const { content, options, startS, bufferS, epochUnixS } = told;
  const video = document.getElementById('video');
  const zeroMs = epochUnixS * 1000 - performance.timeOrigin;
  const since = (ms) => (ms - zeroMs) / 1000;
  const asked = []; // of each request what it was made with
  const events = [];
  let player;
  let stalledS = 0;
  let waitingMs = NaN;

  performance.setResourceTimingBufferSize(1 << 20);

  function aheadS() {
    const { buffered, currentTime } = video;
    for (let i = 0; i < buffered.length; i += 1)
      if (buffered.start(i) <= currentTime + 0.1 && currentTime < buffered.end(i))
        return buffered.end(i) - currentTime;
    return 0;
  }

  const stalledNowS = () =>
    stalledS + (Number.isNaN(waitingMs) ? 0 : (performance.now() - waitingMs) / 1000);

  // What plays and what waits, once it has begun.
  let begun = false;
  video.addEventListener('playing', () => {
    stalledS = stalledNowS();
    waitingMs = NaN;
    begun = true;
  });
  video.addEventListener('waiting', () => {
    if (begun && Number.isNaN(waitingMs)) waitingMs = performance.now();
  });
  for (const name of ['loadedmetadata', 'playing', 'waiting', 'stalled', 'ended', 'error'])
    video.addEventListener(name, () =>
      console.log(`${since(performance.now()).toFixed(3)} s: ${name} at ${video.currentTime.toFixed(3)} s of the film`),
    );

  const { open, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function opened(method, url, ...rest) {
    this.weirUrl = new URL(url, location).href;
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function sent(...body) {
    const found = SEGMENT.exec(this.weirUrl);
    if (found) {
      const row = {
        url: this.weirUrl,
        segment: Number(found[2]),
        level: Number(found[1]),
        buffer_before_s: aheadS(),
        estimate_bps: player ? player.getAverageThroughput('video') * 1000 : NaN,
        atMs: performance.now(),
      };
      asked.push(row);
      this.addEventListener('loadend', () => {
        Object.assign(row, { status: this.status, endMs: performance.now(), stalledS: stalledNowS() });
      });
    }
    return send.apply(this, body);
  };

  function begin() {
    player = dashjs.MediaPlayer().create();
    const buffer = {
      bufferTimeDefault: bufferS,
      bufferTimeAtTopQuality: bufferS,
      bufferTimeAtTopQualityLongForm: bufferS,
    };
    player.updateSettings({ streaming: { buffer } });
    player.updateSettings(options.settings);
    player.on('qualityChangeRequested', ({ mediaType, oldRepresentation, newRepresentation, reason }) => {
      if (mediaType !== 'video') return;
      events.push({
        t_s: since(performance.now()),
        event: 'level-chosen',
        level: Number(newRepresentation.id),
        level_before: oldRepresentation ? Number(oldRepresentation.id) : null,
        buffer_s: aheadS(),
        reason: reason ?? null,
      });
    });
    player.on('error', ({ error }) => console.error(`dash.js: ${error.code} ${error.message}`));
    player.initialize(video, new URL('/manifest.mpd', location).href, true);
  }

  addEventListener('load', () => {
    setTimeout(begin, Math.max(0, startS * 1000 + zeroMs - performance.now()));
  });

  // The browser's own word on each request, of which one address may have had several.
  function rows() {
    const timings = new Map();
    for (const entry of performance.getEntriesByType('resource')) {
      if (!timings.has(entry.name)) timings.set(entry.name, []);
      timings.get(entry.name).push(entry);
    }
    let before = 0;
    return asked.map(({ url, atMs, endMs, stalledS: stalled, status, ...row }) => {
      const timing = (timings.get(url) ?? []).shift();
      const stall = (stalled ?? stalledNowS()) - before;
      before += stall;
      const whole = status === 200;
      return {
        ...row,
        size_bytes: timing ? timing.encodedBodySize : 0,
        request_s: since(timing?.requestStart || atMs),
        first_byte_s: timing?.responseStart ? since(timing.responseStart) : null,
        last_byte_s: since(timing?.responseEnd || endMs || performance.now()),
        status: whole ? WHOLE : (status ?? 0),
        connection: 0,
        stall_s: stall,
      };
    });
  }

  function left() {
    const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
    return {
      rows: rows(),
      events,
      told: `${totalVideoFrames} frames, of which ${droppedVideoFrames} were dropped`,
    };
  }

  return { left };
})();

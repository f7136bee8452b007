// What the rules of dash.js 4.0.1 decide on given films and links; writes dashjs-4.0.1.json beside
// itself.
//
// The npm package carries its sources in dist/dash.mediaplayer.debug.js.map. Its ThroughputHistory,
// ABRRulesCollection, ThroughputRule, BolaRule, InsufficientBufferRule, SwitchHistoryRule and
// SwitchRequestHistory run as they are; stubs stand for the player around them: buffer, clock,
// ladder, and AbrController (getQualityForBitrate and its hysteresis between throughput and BOLA are
// repeated here). `stalls` is the rule with the insufficient-buffer rule as Yanev et al. built it:
// without its bound by throughput and buffer. Run by hand, Node 20:
//   npm install --ignore-scripts dashjs@4.0.1 && node dashjs-4.0.1.mjs
import {BUFFER_S, LATENCY_MS, LINKS, SEGMENT_S, downloaded, sourcesOf, write} from './sessions.mjs';

const load = sourcesOf('dist/dash.mediaplayer.debug.js.map');
globalThis.window = globalThis;

const Settings = await load('core/Settings.js');
const EventBus = await load('core/EventBus.js');
const Debug = await load('core/Debug.js');
const Events = await load('core/events/Events.js');
const MediaPlayerEvents = await load('streaming/MediaPlayerEvents.js');
const ABRRulesCollection = await load('streaming/rules/abr/ABRRulesCollection.js');
const ThroughputHistory = await load('streaming/rules/ThroughputHistory.js');
const SwitchRequestHistory = await load('streaming/rules/SwitchRequestHistory.js');
const RulesContext = await load('streaming/rules/RulesContext.js');
Events.extend(MediaPlayerEvents);

const realNow = Date.now;

function qualityOf(ladder, kbit, latencyMs) {
    const deadTime = (latencyMs || 0) / 1000;
    if (deadTime > SEGMENT_S) { return 0; }
    const usable = kbit * (1 - deadTime / SEGMENT_S) * 1000;
    return Math.max(0, ladder.findLastIndex((bps) => usable >= bps));
}

function session(rule, ladder, link, count) {
    const context = {};
    const settings = Settings(context).getInstance();
    settings.update({streaming: {abr: {additionalAbrRules: {droppedFramesRule: false}}}});
    Debug(context).getInstance({settings});
    const eventBus = EventBus(context).getInstance();
    const streamInfo = {id: 's', manifestInfo: {isDynamic: false}};
    const mediaInfo = {
        id: 'm', type: 'video', streamInfo, bitrateList: ladder.map((bandwidth) => ({bandwidth})),
    };
    let now = 0, buffer = 0, playing = false, stalled = 0, delayMs = 0, bola = rule === 'bola';
    Date.now = () => now;
    const throughputHistory = ThroughputHistory(context).create({settings});
    const abrController = {
        getThroughputHistory: () => throughputHistory,
        getQualityForBitrate: (_, kbit, id, latencyMs) => qualityOf(ladder, kbit, latencyMs),
        getAbandonmentStateFor: () => 'allowload',
        getMaxAllowedIndexFor: () => ladder.length - 1,
    };
    const state = () => ({state: playing ? 'bufferLoaded' : 'bufferStalled'});
    const collection = ABRRulesCollection(context).create({
        dashMetrics: {getCurrentBufferLevel: () => buffer, getCurrentBufferState: state},
        mediaPlayerModel: {getStableBufferTime: () => BUFFER_S, getABRCustomRules: () => []},
        settings,
    });
    collection.initialize();
    if (rule === 'stalls') {
        const bound = collection.getQualitySwitchRules()[2];
        const whole = bound.getMaxIndex;
        bound.getMaxIndex = (ctx) => (playing ? {...whole(ctx), quality: -1} : whole(ctx));
    }
    const history = SwitchRequestHistory(context).create();
    const scheduleController = {setTimeToLoadDelay: (ms) => { delayMs = ms; }};

    const play = (until) => {
        const passed = (until - now) / 1000;
        now = until;
        if (!playing) {
            if (steps.length) { stalled += passed; }
        } else if (passed >= buffer) {
            stalled += passed - buffer;
            buffer = 0;
            playing = false;
            eventBus.trigger(Events.BUFFER_EMPTY, {mediaType: 'video', streamId: 's'});
        } else {
            buffer -= passed;
        }
    };

    const steps = [];
    let current = qualityOf(ladder, 1000);  // AbrController's default for the first segment
    for (let k = 0; k < count; k += 1) {
        const full = BUFFER_S - SEGMENT_S;
        if (buffer > full) { play(now + Math.ceil((buffer - full) * 1000)); }
        if (rule === 'dynamic') { bola = buffer > (bola ? 6 : 12); }
        delayMs = 0;
        const asked = collection.getMaxQuality(RulesContext(context).create({
            abrController, switchHistory: history, currentValue: current,
            useBufferOccupancyABR: bola,
            streamProcessor: {
                getScheduleController: () => scheduleController,
                getRepresentationInfo: () => ({mediaInfo, fragmentDuration: SEGMENT_S}),
            },
        })).quality;
        if (k) { history.push({oldValue: current, newValue: asked}); }
        if (asked >= 0) { current = asked; }
        const average = throughputHistory.getAverageThroughput('video');
        const step = {now, buffer, playing, stalled, level: current,
            average: Number.isNaN(average) ? null : average, delay: Math.round(delayMs)};
        if (delayMs > 0) { play(now + step.delay); }
        const bytes = Math.round(ladder[current] * SEGMENT_S / 8);
        const request = now, first = now + LATENCY_MS;
        const last = downloaded(link, first, bytes * 8);
        play(last);
        const value = {
            type: 'MediaSegment', trace: [{d: last - first, b: [bytes]}],
            trequest: new Date(request), tresponse: new Date(first), _tfinish: new Date(last),
        };
        throughputHistory.push('video', value, true);
        eventBus.trigger(Events.METRIC_ADDED, {metric: 'HttpList', mediaType: 'video', value});
        eventBus.trigger(Events.MEDIA_FRAGMENT_LOADED, {
            chunk: {mediaInfo, start: k * SEGMENT_S, duration: SEGMENT_S, quality: current},
        });
        buffer += SEGMENT_S;
        playing = true;
        eventBus.trigger(Events.BYTES_APPENDED_END_FRAGMENT,
            {mediaType: 'video', startTime: k * SEGMENT_S});
        steps.push({...step, request, first, last, bytes});
    }
    Date.now = realNow;
    return steps;
}

const links = {
    ...LINKS,
    fast: [[0, 50000], [40000, 8000], [80000, 50000], [120000, 14000]],  // downloads below 50 ms
};
write('4.0.1', ['throughput', 'stalls', 'bola', 'dynamic'], links, session);

// Prints what @mcap/core finds in an MCAP file, read in both of its ways: record by record, with all check sums, and by
// its index.   node read_mcap.mjs FOLDER_WITH_NODE_MODULES FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, file] = process.argv.slice(2);
const { McapIndexedReader, McapStreamReader } = createRequire(folder + "/")("@mcap/core");
const bytes = new Uint8Array(readFileSync(file));
const text = (data) => new TextDecoder("utf-8", { fatal: true }).decode(data);

const records = {};
const stream = new McapStreamReader({ validateCrcs: true });
stream.append(bytes);
for (let record; (record = stream.nextRecord()); ) records[record.type] = (records[record.type] ?? 0) + 1;
if (!stream.done()) throw new Error("the file ends early");

const readable = {
  size: async () => BigInt(bytes.length),
  read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
};
const reader = await McapIndexedReader.Initialize({ readable });
const channels = {};
for (const { id, topic, schemaId, messageEncoding } of reader.channelsById.values()) {
  const { encoding, data } = reader.schemasById.get(schemaId);
  channels[id] = { topic, messageEncoding, schemaEncoding: encoding, schema: JSON.parse(text(data)), messages: [] };
}
for await (const { channelId, logTime, data } of reader.readMessages({ validateCrcs: true }))
  channels[channelId].messages.push({ time: Number(logTime), data: JSON.parse(text(data)) });

const metadata = {};
for await (const each of reader.readMetadata()) metadata[each.name] = Object.fromEntries(each.metadata);
const attachments = {};
for await (const each of reader.readAttachments({ validateCrcs: true })) attachments[each.name] = text(each.data);

const messageCount = Number(reader.statistics.messageCount);
process.stdout.write(JSON.stringify({ records, messageCount, channels: Object.values(channels), metadata, attachments }));

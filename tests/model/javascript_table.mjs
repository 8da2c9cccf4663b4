// Makes javascript_table.json: what a real JavaScript engine says of each JSON text.
// Run `node tests/model/javascript_table.mjs` to make it again; the test reads the stored table and needs no Node.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const numbers = [
  "0", "-0", "-0.0", "0.0", "1", "1.0", "1.50", "-1", "10", "100", "1e0", "1E2", "1e20", "1e21", "1e22", "123e19", "1.23e20", "1.23e21",
  "123456789012345678901234567890", "12345678901234567890", "9007199254740991", "9007199254740992", "9007199254740993",
  "18446744073709551615", "1e-5", "1e-6", "1.5e-6", "1e-7", "1.5e-7", "0.000001", "0.0000001", "0.00001234", "123.456", "0.1", "0.30000000000000004",
  "1e300", "1.7976931348623157e308", "1e999", "-1e999", "5e-324", "2.2250738585072014e-308", "1e-400", "4.35", "100000000000000000000", "1000000000000000000000",
  "1.1e1", "120e-1", "99999999999999999999.9", "0.1e1", "12e-7", "1e23", "-2.50e-10",
];
const strings = [
  '""', '"plain"', '"caf\\u00e9 café 日本語 😀 \\ud83d\\ude00"', '"\\" \\\\ \\/ /"', '"\\b\\f\\n\\r\\t"', '"\\u0000\\u001f\\u007f\\u0080\\u009f"',
  '"\\u2028\\u2029\\ufeff"', '"\\ud800"', '"\\udc00 \\ud83d x"', '"\\ud83d\\ud83d\\ude00"', '"<script>&amp;\'"', '"e\\u0301"',
];
const objects = [
  "{}", "[]", "null", "true", "false", '[[],{},""]', '{"b":1,"a":2}', '{"2":"two","b":1,"10":"ten","1":"one","a":2}',
  '{"01":1,"1":2,"-1":3,"1.5":4,"1e3":5,"0":6," 1":7}', '{"4294967294":1,"4294967295":2,"4294967296":3,"3":4,"x":5}',
  '{"a":1,"b":2,"a":3}', '{"":1,"a":{"":2}}', '{"__proto__":{"x":1},"constructor":2}', '{"é":1,"z":2,"😀":3}', '{"\\ud800":1,"a":2}',
  '{"a":{"5":1,"c":{"9":1,"8":{"z":1,"1":2}}},"b":[{"2":1,"1":2}]}', '{ "spaced" : [ 1 , 2.0 , { "x" : null } ] }', '{"١":1,"2":2}',
  '{"9999999999":1,"5":2}', '{"toString":null,"valueOf":[1.0]}',
];
const definitions = [
  ["linear", '{"name":"create_issue","description":"Creates a new issue in Linear","inputSchema":{"type":"object","properties":{"title":{"type":"string"},"teamId":{"type":"string"}},"required":["title","teamId"]}}'],
  ["linear", '{"inputSchema":{"type":"object"},"title":"Other words, other order","name":"create_issue","annotations":{"readOnlyHint":false}}'],
  ["s", '{"name":"null_kept","inputSchema":{"type":"object"},"outputSchema":null,"annotations":null}'],
  ["日本", '{"name":"検索","inputSchema":{"type":"object","properties":{"10":{"minimum":1.0},"9":{"maximum":1e21},"q":{"default":"é"}}},"outputSchema":{"type":"object"},"annotations":{"title":"探す"}}'],
  ["a.b", '{"name":"c","inputSchema":{}}'],
  ["a", '{"name":"b.c","inputSchema":{}}'],
];

const texts = [...numbers, ...strings, ...objects].map((text) => [text, JSON.stringify(JSON.parse(text))]);
// As hypertool-mcp does it (src/discovery/hash-utils.ts): the literal object, JSON.stringify, SHA-256.
const refIds = definitions.map(([serverName, text]) => {
  const tool = JSON.parse(text);
  const { name, inputSchema, outputSchema, annotations } = tool;
  const identity = JSON.stringify({ name, serverName, inputSchema, outputSchema, annotations });
  return [serverName, text, createHash("sha256").update(identity).digest("hex")];
});
const table = { node: process.version, texts, refIds };
writeFileSync(new URL("javascript_table.json", import.meta.url), JSON.stringify(table, null, 1) + "\n");

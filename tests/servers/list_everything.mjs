// Lists tools, prompts, resources and templates of an MCP endpoint with the official TypeScript SDK, and prints their
// names as JSON. Usage: node list_everything.mjs NODE_MODULES PACKAGE URL TOKEN
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [modules, packageName, url, token] = process.argv.slice(2);
const load = (...path) => import(pathToFileURL(join(modules, "@modelcontextprotocol", ...path)).href);
let Client, StreamableHTTPClientTransport;
if (packageName === "sdk") {
  ({ Client } = await load("sdk", "dist", "esm", "client", "index.js"));
  ({ StreamableHTTPClientTransport } = await load("sdk", "dist", "esm", "client", "streamableHttp.js"));
} else {
  ({ Client, StreamableHTTPClientTransport } = await load("client", "dist", "index.mjs"));
}
const headers = { Authorization: `Bearer ${token}` };
const client = new Client({ name: "lister", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
const { prompts } = await client.listPrompts();
const { resources } = await client.listResources();
const { resourceTemplates } = await client.listResourceTemplates();
console.log(JSON.stringify({
  tools: tools.map((one) => one.name),
  prompts: prompts.map((one) => one.name),
  resources: resources.map((one) => one.uri),
  templates: resourceTemplates.map((one) => one.uriTemplate),
}));
await client.close();

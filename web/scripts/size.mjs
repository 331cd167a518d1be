// Print the size of the built page as it travels, and fail if it has outgrown its limit.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KIB = 60;
const folder = new URL("../../src/dizhu/server/static/assets/", import.meta.url);

let total = 0;
for (const name of readdirSync(folder).filter((file) => /\.(js|css)$/.test(file))) {
  const { length } = gzipSync(readFileSync(new URL(name, folder)), { level: 9 });
  total += length;
  console.log(`${(length / 1024).toFixed(1).padStart(6)} KiB  ${name}`);
}
console.log(`${(total / 1024).toFixed(1).padStart(6)} KiB  of ${LIMIT_KIB} KiB, JavaScript and CSS together`);
if (total > LIMIT_KIB * 1024) process.exitCode = 1;

import { createSign, generateKeyPairSync } from "node:crypto";

// Distinguished encoding (X.690): tag, length, content.
function der(tag: number, ...parts: (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const long = body.length < 0x80 ? [] : body.length < 0x100 ? [0x81] : [0x82, body.length >> 8];
  return Buffer.concat([Buffer.from([tag, ...long, body.length & 0xff]), body]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const text = (words: string) => der(0x0c, Buffer.from(words));
const moment = (digits: string) => der(0x18, Buffer.from(digits));
const ECDSA_SHA256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const COMMON_NAME = der(0x06, [0x55, 0x04, 0x03]);
const SUBJECT_ALT_NAME = der(0x06, [0x55, 0x1d, 0x11]);

/** A new key and self-signed certificate for these host names; no key is stored in the repository. */
export function selfSigned(names: readonly string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, text(names[0] ?? "localhost"))));
  const alternatives = sequence(...names.map((each) => der(0x82, Buffer.from(each))));
  const facts = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    ECDSA_SHA256,
    name,
    sequence(moment("20200101000000Z"), moment("21200101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, alternatives)))),
  );
  const signature = createSign("sha256").update(facts).sign(privateKey);
  const whole = sequence(facts, ECDSA_SHA256, der(0x03, [0], signature)).toString("base64");
  const lines = whole.match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}

// Loaded before a program that reads users' files, whose content could name any address. Blocks network access, which
// Node's permission model does not cover yet.
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

function refuse(): never {
  throw new Error("Network access is blocked for programs that read files");
}

net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.createSocket = refuse;
Object.assign(dns, { lookup: refuse, resolve: refuse });
Object.assign(dns.promises, { lookup: refuse, resolve: refuse });
syncBuiltinESMExports();

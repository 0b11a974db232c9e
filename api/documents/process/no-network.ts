// Loaded before a program that deals with users' files. A file may name any address it likes: nothing is asked of it.
// Node's own permissions do not cover the network yet.
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

function refuse(): never {
  throw new Error("A program that reads files has no network");
}

net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.createSocket = refuse;
Object.assign(dns, { lookup: refuse, resolve: refuse });
Object.assign(dns.promises, { lookup: refuse, resolve: refuse });
syncBuiltinESMExports();

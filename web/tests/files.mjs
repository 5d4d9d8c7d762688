// Files as authors have them: bitmaps of 24 bits and zip archives, made byte by byte.
import { crc32 } from "node:zlib";

/** A bitmap; `color` gives red, green and blue of a pixel. */
export function bitmap(width, height, color) {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM", 0, "latin1");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = color(x, y);
      bytes.set([blue, green, red], 54 + (height - 1 - y) * row + x * 3);
    }
  }
  return bytes;
}

const crc =
  typeof crc32 === "function"
    ? crc32
    : (bytes) => {
        let sum = ~0;
        for (const byte of bytes) {
          sum ^= byte;
          for (let n = 0; n < 8; n += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
        }
        return ~sum >>> 0;
      };

/** An archive without compression; names are taken as they are, bad ones too. */
export function zip(files) {
  const parts = [];
  const index = [];
  let at = 0;
  for (const [name, data] of Object.entries(files)) {
    const head = Buffer.alloc(30 + name.length);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(crc(data), 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt32LE(data.length, 22);
    head.writeUInt16LE(name.length, 26);
    head.write(name, 30, "latin1");
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    head.copy(entry, 16, 14, 26);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    entry.write(name, 46, "latin1");
    parts.push(head, data);
    index.push(entry);
    at += head.length + data.length;
  }
  const size = index.reduce((sum, it) => sum + it.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(index.length, 8);
  end.writeUInt16LE(index.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...index, end]);
}

import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]
/** The colour of a point, with coordinates from 0 to 1 across and from 0 at the centre line in units of the width. */
type Paint = (x: number, y: number) => Colour
type Size = { width: number; height: number }

/** A PNG painted point by point, so that the demo needs no image files. */
export function paintPng({ width, height }: Size, paint: Paint): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      rows.set(paint((column + 0.5) / width, (row + 0.5 - height / 2) / width), row * (1 + width * 3) + 1 + column * 3)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits for each of red, green and blue.
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const white: Colour = [255, 255, 255]
const petrol: Colour = [11, 90, 110]
const deep: Colour = [8, 62, 77]
const gold: Colour = [245, 184, 65]
const clay: Colour = [168, 74, 42]

const isInCircle = (x: number, y: number, [left, top, radius]: readonly [number, number, number]) =>
  Math.hypot(x - left, y - top) < radius

/** A shopping bag in white, for the logo of a shop. */
export function paintLogo(ground: Colour = petrol): Buffer {
  return paintPng({ width: 224, height: 224 }, (x, y) => {
    const across = Math.abs(x - 0.5)
    const isBag = y > -0.1 && y < 0.24 && across < 0.2 + y * 0.12
    const handle = Math.hypot(x - 0.5, y + 0.1)
    const isHandle = y <= -0.1 && handle > 0.09 && handle < 0.125
    const smile = Math.hypot(x - 0.5, y - 0.03)
    const isSmile = y > 0.04 && smile > 0.08 && smile < 0.11
    return (isBag && !isSmile) || isHandle ? white : ground
  })
}

/** Large overlapping circles, for the banner above a bot's page. */
export function paintBanner(ground: Colour = petrol, shade: Colour = deep): Buffer {
  return paintPng({ width: 1440, height: 448 }, (x, y) => {
    if (isInCircle(x, y, [0.86, -0.06, 0.1])) return gold
    if (isInCircle(x, y, [0.7, 0.16, 0.24])) return ground
    return isInCircle(x, y, [0.16, -0.1, 0.22]) ? ground : shade
  })
}

export type Subject = 'lamp' | 'lights' | 'sweets' | 'parcel'

const subjects: Record<Subject, Paint> = {
  lamp(x, y) {
    const across = Math.abs(x - 0.5)
    const flame = Math.hypot((x - 0.5) * (y < -0.06 ? 2.6 : 1.6), y + 0.05)
    if (y < 0.03 && flame < 0.09) return flame < 0.045 ? white : gold
    return y > 0.04 && Math.hypot(across, (y - 0.04) * 1.6) < 0.2 ? clay : [58, 26, 66]
  },
  lights(x, y) {
    const cord = -0.04 + 0.09 * Math.sin(x * Math.PI * 2.2)
    const nearest = (Math.round(x * 9 - 0.5) + 0.5) / 9
    const bulb = -0.04 + 0.09 * Math.sin(nearest * Math.PI * 2.2) + 0.045
    if (isInCircle(x, y, [nearest, bulb, 0.026])) return gold
    return Math.abs(y - cord) < 0.005 ? [150, 160, 190] : [24, 34, 74]
  },
  sweets(x, y) {
    const diamond = (left: number, top: number) => Math.abs(x - left) / 0.11 + Math.abs(y - top) / 0.075
    const found = [diamond(0.38, -0.03), diamond(0.62, -0.03), diamond(0.5, 0.06), diamond(0.5, -0.12)]
    const nearest = Math.min(...found)
    if (nearest < 1) return nearest < 0.35 ? [214, 214, 208] : [242, 226, 190]
    return isInCircle(x, y * 1.1, [0.5, -0.03, 0.3]) ? [196, 84, 60] : [236, 205, 168]
  },
  parcel(x, y) {
    const isBox = Math.abs(x - 0.5) < 0.2 && Math.abs(y) < 0.15
    if (!isBox) return [225, 238, 240]
    if (Math.abs(x - 0.5) < 0.03) return gold
    return y < -0.1 ? [150, 106, 66] : [184, 136, 90]
  },
}

/** A picture for a card, twice as wide as high. */
export function paintSubject(subject: Subject): Buffer {
  return paintPng({ width: 720, height: 360 }, subjects[subject])
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cropArea, movedCrop, safeAreas, visibleArea, wholeCrop } from './media-frame.ts'

test('a short frame cuts above and below, a tall one at the sides', () => {
  const [short, medium, tall] = safeAreas(232)
  expect(short?.area).toMatchObject({ left: 0, width: 1 })
  expect(short?.area.height).toBeCloseTo(0.966, 2)
  expect(medium?.area.height).toBe(1)
  expect(tall?.area.width).toBeLessThan(medium?.area.width ?? 0)
})

test('a square picture is cut to half its height', () => {
  expect(visibleArea({ width: 600, height: 600 }, { width: 1440, height: 720 })).toEqual({
    left: 0,
    top: 0.25,
    width: 1,
    height: 0.5,
  })
})

test('a crop stays within its picture and twice as wide as high, wherever it is moved', () => {
  const side = fc.integer({ min: 20, max: 6000 })
  const shift = fc.double({ min: -2, max: 2, noNaN: true })
  fc.assert(
    fc.property(side, side, fc.double({ min: 1, max: 4, noNaN: true }), shift, shift, (width, height, zoom, x, y) => {
      const picture = { width, height }
      const area = cropArea(picture, movedCrop(picture, { ...wholeCrop, zoom }, { x, y }))
      expect(area.left).toBeGreaterThanOrEqual(0)
      expect(area.top).toBeGreaterThanOrEqual(0)
      expect(area.left + area.width).toBeLessThanOrEqual(1 + 1e-9)
      expect(area.top + area.height).toBeLessThanOrEqual(1 + 1e-9)
      expect((area.width * width) / (area.height * height)).toBeCloseTo(2, 6)
    }),
  )
})

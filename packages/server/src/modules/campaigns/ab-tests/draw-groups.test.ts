import { expect, test } from 'vitest'
import { drawGroups, heldOutGroup, restGroup, type Groups } from './draw-groups.ts'

const [campaign, other] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
const draw = (
  samplePercent: number,
  { holdoutPercent = 0, people = 10_000, id = campaign, variants = [{}, {}] } = {},
) => list(drawGroups(id, { variants, samplePercent, holdoutPercent }, people), people)
const list = (groups: Groups, people: number) => Array.from({ length: people }, (_, seq) => groups.groupAt(seq))
const sizes = (groups: readonly number[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(groups, String)).map(([group, own]) => [group, own?.length]))

test('the variants have the same size, and the rest and the control group what was chosen', () => {
  expect(sizes(draw(30, { holdoutPercent: 5 }))).toEqual({
    0: 1000,
    1: 1000,
    2: 1000,
    [restGroup]: 6500,
    [heldOutGroup]: 500,
  })
  expect(sizes(draw(95, { holdoutPercent: 5, people: 101 }))).toEqual({ 0: 32, 1: 32, 2: 32, [heldOutGroup]: 5 })
  expect(sizes(draw(100))).toEqual({ 0: 3334, 1: 3333, 2: 3333 })
})

test('a small audience has one person for each variant', () => {
  expect(sizes(draw(1, { people: 5 }))).toEqual({ 0: 1, 1: 1, 2: 1, [restGroup]: 2 })
  expect(sizes(draw(1, { people: 2 }))).toEqual({ 0: 1, 1: 1 })
  expect(sizes(draw(50, { people: 0 }))).toEqual({})
})

test('recipients stay with their variant if the test is enlarged, and are drawn anew for another campaign', () => {
  const [small, large] = [draw(10), draw(40)]
  for (const [seq, group] of small.entries()) if (group >= 0) expect(large[seq]).toBe(group)
  expect(draw(10)).toEqual(small)
  const again = draw(10, { id: other }).filter((group, seq) => group >= 0 && (small[seq] ?? -1) >= 0).length
  expect(again).toBeGreaterThan(50)
  expect(again).toBeLessThan(150)
})

test('variants are spread evenly over the audience', () => {
  const groups = draw(100, { people: 30_000 })
  for (let begin = 0; begin < 30_000; begin += 3000) {
    const own = groups.slice(begin, begin + 3000).filter((group) => group === 0).length
    expect(Math.abs(own - 1000)).toBeLessThan(150)
  }
})

import { expect, test } from 'vitest'
import { fewRows, rejectRows } from './reject-rows.ts'

const reject = (row: number) => ({ row, value: 'x', code: 'not_a_number', message: 'No number' }) as const

const rows = rejectRows({
  sampleErrors: [reject(3), reject(5), reject(9)],
  corrections: {
    automatic: true,
    automaticRows: 2,
    rows: [
      { row: 2, value: '98O', phoneNumber: '+919800000000', automatic: true },
      { row: 5, value: 'y', phoneNumber: '+919800000000', automatic: true },
      { row: 7, value: 'z', phoneNumber: '+919800000001' },
    ],
  },
})

test('rejected and corrected rows are one list in the order of the file, duplicates last', () => {
  const duplicate = { ...reject(1), code: 'duplicate' } as const
  const corrections = { automatic: false, automaticRows: 0, rows: [] }
  const listed = rejectRows({ sampleErrors: [duplicate, reject(3)], corrections })
  expect(listed.map(({ row }) => row)).toEqual([3, 1])
  expect(rows.map(({ row }) => row)).toEqual([2, 3, 5, 7, 9])
  expect(rows[2]).toMatchObject({ reject: { row: 5 }, correction: { automatic: true } })
})

test('the first few are invalid ones; typed numbers always stay in view', () => {
  const duplicate = { row: 1, value: 'x', reject: { ...reject(1), code: 'duplicate' } } as const
  expect(fewRows([duplicate, ...rows], 2).map(({ row }) => row)).toEqual([3, 5, 7])
  expect(fewRows(rows, 2).map(({ row }) => row)).toEqual([3, 5, 7])
  expect(fewRows(rows, 4).map(({ row }) => row)).toEqual([2, 3, 5, 7, 9])
})

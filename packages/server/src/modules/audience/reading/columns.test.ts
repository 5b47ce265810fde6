import { expect, test } from 'vitest'
import { guessColumns } from './columns.ts'

test.each([
  [
    'by its name',
    [
      ['Name', 'Mobile No'],
      ['Asha', '9876543210'],
    ],
    { hasHeader: true, names: ['Name', 'Mobile No'], phoneColumn: 1 },
  ],
  [
    'by what it holds',
    [
      ['Asha', '9876543210'],
      ['Ravi', '9876543211'],
    ],
    { hasHeader: false, names: ['Column 1', 'Column 2'], phoneColumn: 1 },
  ],
  [
    'under a name in Hindi',
    [
      ['नाम', 'मोबाइल नंबर'],
      ['आशा', '9876543210'],
    ],
    { hasHeader: true, names: ['नाम', 'मोबाइल नंबर'], phoneColumn: 1 },
  ],
  [
    'among two columns of one name',
    [
      ['x', 'x', 'फ़ोन'],
      ['1', '2', '9876543210'],
    ],
    { hasHeader: true, names: ['x', 'x 2', 'फ़ोन'], phoneColumn: 2 },
  ],
  [
    'in a list of numbers alone',
    [['9876543210'], ['9876543211']],
    { hasHeader: false, names: ['Column 1'], phoneColumn: 0 },
  ],
  [
    'before ids that look like numbers',
    [
      ['order', 'customer_phone'],
      ['9876500001', '9876543210'],
    ],
    { hasHeader: true, names: ['order', 'customer_phone'], phoneColumn: 1 },
  ],
  [
    'by content when the name lies',
    [
      ['number', 'reached at'],
      ['7', '9876543210'],
    ],
    { hasHeader: true, names: ['number', 'reached at'], phoneColumn: 1 },
  ],
  [
    'by name when the numbers are spoilt',
    [
      ['name', 'phone'],
      ['Asha', '9.87E+09'],
    ],
    { hasHeader: true, names: ['name', 'phone'], phoneColumn: 1 },
  ],
  ['in a header alone', [['name', 'phone']], { hasHeader: true, names: ['name', 'phone'], phoneColumn: 1 }],
  [
    'with a first row that is bad data, no header',
    [
      ['Asha', '98765'],
      ['Ravi', '9876543211'],
    ],
    { hasHeader: false, names: ['Column 1', 'Column 2'], phoneColumn: 1 },
  ],
  [
    'in rows of unequal width',
    [['phone'], ['9876543210', 'Asha']],
    { hasHeader: true, names: ['phone', 'Column 2'], phoneColumn: 0 },
  ],
  ['in nothing', [], { hasHeader: false, names: ['Column 1'], phoneColumn: 0 }],
])('finds the phone column %s', (_, rows, expected) => {
  expect(guessColumns(rows, 'IN')).toEqual(expected)
})

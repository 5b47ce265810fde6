import { expect, test } from 'vitest'
import { guessColumns } from './columns.ts'

test.each([
  [
    'by its name',
    [
      ['Name', 'Mobile No'],
      ['Asha', '9876543210'],
    ],
    { headerRows: 1, names: ['Name', 'Mobile No'], phoneColumn: 1 },
  ],
  [
    'by what it holds',
    [
      ['Asha', '9876543210'],
      ['Ravi', '9876543211'],
    ],
    { headerRows: 0, names: ['Column 1', 'Column 2'], phoneColumn: 1 },
  ],
  [
    'under a name in Hindi',
    [
      ['नाम', 'मोबाइल नंबर'],
      ['आशा', '9876543210'],
    ],
    { headerRows: 1, names: ['नाम', 'मोबाइल नंबर'], phoneColumn: 1 },
  ],
  [
    'among two columns of one name',
    [
      ['x', 'x', 'फ़ोन'],
      ['1', '2', '9876543210'],
    ],
    { headerRows: 1, names: ['x', 'x 2', 'फ़ोन'], phoneColumn: 2 },
  ],
  [
    'in a list of numbers alone',
    [['9876543210'], ['9876543211']],
    { headerRows: 0, names: ['Column 1'], phoneColumn: 0 },
  ],
  [
    'before ids that look like numbers',
    [
      ['order', 'customer_phone'],
      ['9876500001', '9876543210'],
    ],
    { headerRows: 1, names: ['order', 'customer_phone'], phoneColumn: 1 },
  ],
  [
    'by content when the name lies',
    [
      ['number', 'reached at'],
      ['7', '9876543210'],
    ],
    { headerRows: 1, names: ['number', 'reached at'], phoneColumn: 1 },
  ],
  [
    'by name when the numbers are spoilt',
    [
      ['name', 'phone'],
      ['Asha', '9.87E+09'],
    ],
    { headerRows: 1, names: ['name', 'phone'], phoneColumn: 1 },
  ],
  ['in a header alone', [['name', 'phone']], { headerRows: 1, names: ['name', 'phone'], phoneColumn: 1 }],
  [
    'with a first row that is bad data, no header',
    [
      ['Asha', '98765'],
      ['Ravi', '9876543211'],
    ],
    { headerRows: 0, names: ['Column 1', 'Column 2'], phoneColumn: 1 },
  ],
  [
    'in rows of unequal width',
    [['phone'], ['9876543210', 'Asha']],
    { headerRows: 1, names: ['phone', 'Column 2'], phoneColumn: 0 },
  ],
  ['in nothing', [], { headerRows: 0, names: ['Column 1'], phoneColumn: undefined }],
  [
    'under titles',
    [['Mobile numbers for Diwali'], [], ['Name', 'Mobile'], ['Asha', '9876543210'], ['Ravi', '9876543211']],
    { headerRows: 3, names: ['Name', 'Mobile'], phoneColumn: 1 },
  ],
  [
    'of mobiles beside office phones',
    [
      ['Office Phone', 'Mobile'],
      ['9820012345', '9876543210'],
      ['9820012346', '9876543211'],
    ],
    { headerRows: 1, names: ['Office Phone', 'Mobile'], phoneColumn: 1 },
  ],
  [
    'of mobiles beside landlines of a better name',
    [
      ['Mobile (office)', 'Number'],
      ['020 2567 1234', '9876543210'],
      ['020 2567 1235', '9876543211'],
    ],
    { headerRows: 1, names: ['Mobile (office)', 'Number'], phoneColumn: 1 },
  ],
  [
    'nowhere in a file without one',
    [
      ['Product', 'Price'],
      ['Diya', '120'],
      ['Rangoli', '80'],
    ],
    { headerRows: 1, names: ['Product', 'Price'], phoneColumn: undefined },
  ],
])('finds the phone column %s', (_, rows, expected) => {
  expect(guessColumns(rows, 'IN')).toEqual(expected)
})

export type UnreadableCode =
  | 'too_large'
  | 'zip_bomb'
  | 'too_many_columns'
  | 'too_many_rows'
  | 'row_too_long'
  | 'unclosed_quote'
  | 'not_text'
  | 'legacy_excel'
  | 'encrypted'
  | 'empty'
  | 'broken_zip'
  | 'bad_encoding'
  | 'no_sheet'
  | 'no_such_sheet'
  | 'no_phone_column'

const sentences: Record<UnreadableCode, string> = {
  too_large: 'The file is larger than 100 MB: split it',
  zip_bomb: 'The unpacked file is suspiciously large: save it again from the spreadsheet',
  too_many_columns: 'The file has more than 256 columns: delete those you do not need',
  too_many_rows: 'The file has more than 1,000,000 rows: split it',
  row_too_long: 'A row has more than 1,000,000 characters: check the line breaks',
  unclosed_quote: 'A quotation mark is never closed: close or delete it',
  not_text: 'This is not a CSV or XLSX file: save the sheet as CSV or XLSX',
  legacy_excel: 'This is an old Excel file (.xls): save it as XLSX or CSV',
  encrypted: 'The file is protected with a password: save it without one',
  empty: 'The file has no rows',
  broken_zip: 'The file is damaged: save it again from the spreadsheet',
  bad_encoding: 'The file’s characters cannot be read: save it as CSV in UTF-8',
  no_sheet: 'The workbook has no sheet',
  no_such_sheet: 'The workbook has no sheet of this name: choose another one',
  no_phone_column: 'No column contains phone numbers: name the column “Mobile”, or choose another file or sheet',
}

/** A file that cannot be read, with a message for the user. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly code: UnreadableCode

  /** `row`: the position of the problem, if it has one. */
  constructor(code: UnreadableCode, row?: number) {
    super(row === undefined ? sentences[code] : `Row ${row.toLocaleString('en')}: ${sentences[code]}`)
    this.code = code
  }
}

// A spreadsheet must take a label for text whatever it begins with, and not for a formula.
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string => rows.map((row) => `${row.map((one) => cell(String(one))).join(",")}\r\n`).join("");

// Proves which numbers a design file has.
import { describe, expect, test } from '@jest/globals'
import { readDesignNumbers, rowsOf } from './design-numbers.ts'

const design = `# Title
## 1. First
1. **A point** of the section
2. another
   1. no point of its own
### 1.2 Inner
| id | rule |
| --- | --- |
| 1 | a row by number |
| C01, C03 | two rows |
| C10 to C12 (later) | three |
- M1. a named point
- K30: another
## No number
\`\`\`
## 9. in a code block
1. neither
\`\`\`
`

describe('the numbers of a design', () => {
  test('are sections, points of their lists and tables, and named rows', () => {
    const { points, rows, doubled } = readDesignNumbers(design)
    expect([...points]).toEqual(['1', '1.1', '1.2', '1.2', '1.2.1'].filter((n, i, all) => all.indexOf(n) === i))
    expect([...rows]).toEqual(['C01', 'C03', 'C10', 'C11', 'C12', 'M1', 'K30'])
    expect(doubled).toEqual(['1.2'])
  })

  test('are plain where no heading has one, and may have a letter', () => {
    const { points, doubled } = readDesignNumbers('## Rules\n\n6. six\n6a. six a\n\n## More\n\n7. seven\n')
    expect([...points]).toEqual(['6', '6a', '7'])
    expect(doubled).toEqual([])
  })

  test('a number that stands there twice is told', () => {
    expect(readDesignNumbers('| C01 | a |\n| C01 | b |\n').doubled).toEqual(['C01'])
  })

  test.each([
    ['A3, A4', ['A3', 'A4']],
    ['XA01 to XA03', ['XA01', 'XA02', 'XA03']],
    ['XP05 to XP07, XP10', ['XP05', 'XP06', 'XP07', 'XP10']],
    ['T9', ['T9']],
  ])('%s', (list, rows) => {
    expect(rowsOf(list)).toEqual(rows)
  })
})

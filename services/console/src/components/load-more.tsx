// The end of a list that is read by a cursor.
import { Center, Button as LibraryButton } from '@mantine/core'
import { texts } from '../texts.ts'

export function LoadMore({ list }: { list: { hasMore: boolean; isLoadingMore: boolean; loadMore(): void } }) {
  if (!list.hasMore) return null
  return (
    <Center p="md">
      <LibraryButton variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
        {texts.list.loadMore}
      </LibraryButton>
    </Center>
  )
}

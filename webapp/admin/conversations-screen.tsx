import { useCallback, useState } from "react";
import { CONVERSATION_SOURCES } from "#shared/admin/lists-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { CsvButton } from "./lists/csv-button.tsx";
import { ConversationTable } from "./parts/conversation-table.tsx";
import { type Thumb, ThumbFilter } from "./parts/thumb-filter.tsx";

type Source = (typeof CONVERSATION_SOURCES)[number];

/** `/admin/conversation_history`: the conversations that students shared, or the conversations in the prompt log. */
export function ConversationsScreen() {
  const [source, setSource] = useState<Source>("shared");
  const [thumb, setThumb] = useState<Thumb>("all");
  const filter = { source, ...(source === "shared" && thumb !== "all" && { thumb }) };
  const read = useCallback(
    async (after: string | undefined) => {
      const { conversations, next } = await adminClient.listConversations({
        source,
        ...(source === "shared" && thumb !== "all" && { thumb }),
        ...(after !== undefined && { after }),
      });
      return { items: conversations, next };
    },
    [source, thumb],
  );
  return (
    <AdminFrame
      tab="adminConversations"
      actions={<CsvButton name={`conversations-${source}`} read={() => adminClient.exportConversations(filter)} />}
    >
      <p>{t("lists.conversations_text")}</p>
      <div className="admin-filters">
        <Segmented
          label={t("lists.source")}
          value={source}
          options={CONVERSATION_SOURCES.map((value) => ({ value, label: t(`lists.source_${value}`) }))}
          onValue={setSource}
        />
        {source === "shared" && <ThumbFilter value={thumb} onValue={setThumb} />}
      </div>
      <ConversationTable key={source} label={t("lists.conversations")} read={read} />
    </AdminFrame>
  );
}

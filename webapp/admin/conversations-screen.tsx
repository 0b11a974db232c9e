import { useCallback, useState } from "react";
import { CONVERSATION_SOURCES } from "#shared/admin/lists-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { CsvButton } from "./parts/csv-button.tsx";
import { OpenedTable } from "./parts/opened-table.tsx";

type Source = (typeof CONVERSATION_SOURCES)[number];

/** `/admin/conversation_history`: answers that students shared, or that the log of prompts holds. */
export function ConversationsScreen() {
  const [source, setSource] = useState<Source>("shared");
  const read = useCallback(
    async (after: string | undefined) => {
      const { conversations, next } = await adminClient.listConversations({
        source,
        ...(after !== undefined && { after }),
      });
      return { items: conversations, next };
    },
    [source],
  );
  return (
    <AdminFrame
      tab="adminConversations"
      actions={<CsvButton name={`conversations-${source}`} read={() => adminClient.exportConversations({ source })} />}
    >
      <p>{t("lists.conversations_text")}</p>
      <Segmented
        label={t("lists.source")}
        value={source}
        options={CONVERSATION_SOURCES.map((value) => ({ value, label: t(`lists.source_${value}`) }))}
        onValue={setSource}
      />
      <OpenedTable key={source} label={t("lists.conversations")} read={read} />
    </AdminFrame>
  );
}

import { AccountSetting } from "#extension/auth/account-setting.tsx";
import { OptionsScreen } from "#extension/ui/options-screen.tsx";
import { renderView } from "#extension/ui/show.tsx";

renderView(<OptionsScreen account={<AccountSetting />} />);

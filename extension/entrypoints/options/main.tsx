import { AccountSetting } from "#extension/auth/account-setting.tsx";
import { OptionsScreen } from "#extension/ui/options-screen.tsx";
import { show } from "#extension/ui/show.tsx";

show(<OptionsScreen account={<AccountSetting />} />);

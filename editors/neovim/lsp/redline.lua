-- What `vim.lsp.enable('redline')` starts. Change it with `vim.lsp.config('redline', …)` or
-- `require('redline').setup{}`.
return require('redline.client').config()

// The smallest real language server on node: vscode-languageserver with incremental documents.
'use strict';

const { createConnection, ProposedFeatures, TextDocuments, TextDocumentSyncKind } = require('vscode-languageserver/node');
const { TextDocument } = require('vscode-languageserver-textdocument');

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);

connection.onInitialize(() => ({
  capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental },
}));

// Something cheap to ask for: its answer comes after everything that was sent before it.
connection.onRequest('bench/status', ({ uri }) => ({ version: documents.get(uri)?.version ?? null }));

documents.listen(connection);
connection.listen();
